"""What a template sees beside its parameters: Rally's macros and filters, and Jinja2 as Rally's version of it.

tracks/host.cpp runs this text and then sidecar.py in one interpreter.
"""
import sys

sys.path = [entry for entry in sys.path if entry]  # never import a module from the working folder

import datetime  # noqa: E402
import fnmatch  # noqa: E402
import gc  # noqa: E402
import glob  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import resource  # noqa: E402
import time  # noqa: E402

INTERNAL = ("build_flavor", "serverless_operator", "now", "glob")
COLLECT = re.compile(r'{{ +(?:rally|benchmark)\.collect\(parts="([^"]+)"\) +}}')
COLLECT_DEPTH = 32
CACHED = 200  # texts
HELPER_NAMES = ("rally.helpers", "benchmark.helpers")
# The blanks of exists_set_param are those that Rally writes: rendered texts are compared byte by byte.
HELPERS = r"""
{%- macro collect(parts) -%}
{%- set comma = joiner(",\n") -%}
{%- for part in glob(parts) %}{{ comma() }}{% include part %}{% endfor -%}
{%- endmacro -%}
{%- macro exists_set_param(setting_name, value, default_value=None, comma=True) -%}
{%- if value is defined or default_value is not none -%}
{{ "\n" ~ " " * 17 ~ ", \n" ~ " " * 16 if comma }}{{ "\n" ~ " " * 18 -}}
"{{ setting_name }}": {{ value | default(default_value) | tojson }}{{ "\n" ~ " " * 16 ~ "\n" ~ " " * 14 }}
{%- endif -%}
{%- endmacro -%}
"""


class Mistake(Exception):
    """What the author of the track or the caller of the race got wrong."""

    def __init__(self, message, file="", line=0, hint=""):
        super().__init__(message)
        self.file, self.line, self.hint = file, line, hint


def as_date(value, date_format, tz=datetime.timezone.utc):
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, str):
        return datetime.datetime.strptime(value, date_format).replace(tzinfo=tz)
    return datetime.datetime.fromtimestamp(value, tz=tz)


def days_ago(start, end, date_format="%d-%m-%Y", tz=datetime.timezone.utc):
    return (as_date(end, date_format, tz) - as_date(start, date_format, tz)).days


def day(value):
    if isinstance(value, str):
        raise TypeError("get_start_date and get_end_date take epoch seconds or a date, not text")
    return as_date(value, "")


def get_start_date(value, date_format="%Y-%m-%d"):
    return day(value).strftime(date_format)


def get_end_date(value, duration_days=1, date_format="%Y-%m-%d"):
    return (day(value) + datetime.timedelta(days=duration_days)).strftime(date_format)


def make_undefined(jinja2, blanks):
    class Blank(jinja2.Undefined):
        """Prints as nothing, as in Rally, but is remembered: a JSON error is often its doing."""

        def __str__(self):
            frame = sys._getframe(1)
            while frame is not None and "__jinja_template__" not in frame.f_globals:
                frame = frame.f_back
            line = frame.f_globals["__jinja_template__"].get_corresponding_lineno(frame.f_lineno) if frame else 0
            path = frame.f_code.co_filename if frame else ""
            blanks.append((self._undefined_name, path, line))
            return ""

    return Blank


def dumps(jinja2):
    def refuse(value):
        if isinstance(value, jinja2.Undefined):
            raise Mistake(f"parameter `{value._undefined_name}` is required and was not given",
                          hint=f"give it with --track-params, as {value._undefined_name}:VALUE")
        raise TypeError(f"a value of type {type(value).__name__} has no JSON form")

    return lambda value, **kwargs: json.dumps(value, default=refuse, **kwargs)


def count_all_branches(jinja2):
    """Teaches Jinja before 3.1.5 what later ones do: a name that every branch sets may still be read from outside.
    Without it the sets of declared names would depend on the version."""
    tracking = jinja2.idtracking

    def branch_update(self, branches):
        stored = {name for branch in branches for name in branch.stores if name not in self.stores}
        for branch in branches:
            for kind in ("refs", "loads", "stores"):
                getattr(self, kind).update(getattr(branch, kind))
        for name in sorted(stored):
            target = self.find_ref(name)
            outer = self.parent.find_ref(name) if self.parent is not None else None
            resolve, alias = tracking.VAR_LOAD_RESOLVE, tracking.VAR_LOAD_ALIAS
            self.loads[target] = (resolve, name) if outer is None else (alias, outer)

    if tuple(int(part) for part in re.findall(r"\d+", jinja2.__version__)[:3]) < (3, 1, 5):
        tracking.Symbols.branch_update = branch_update
