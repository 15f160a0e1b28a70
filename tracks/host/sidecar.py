"""Renders track templates with the genuine Jinja2 for the C++ side (tracks/host.cpp).

JSON lines: one hello line at the start, then one answer line for each request line; ends with its input. A request
brings all that its template may see (folder, parameters): requests for different tracks share nothing but what is
derived from the text of a template alone.
"""
# The text of language.py stands before this one.
class Files:
    """A track's files: below a folder and its parent, or (bundled tracks) a dictionary of texts."""

    def __init__(self, folder, texts):
        self.texts = texts
        self.folder = os.path.abspath(folder) if texts is None else ""
        self.limit = os.path.realpath(os.path.dirname(self.folder)) if texts is None else ""

    def path(self, name):
        return os.path.normpath(os.path.join(self.folder, name)) if self.texts is None else os.path.normpath(name)

    def inside(self, path):
        return os.path.commonpath([self.limit, os.path.realpath(path)]) == self.limit

    def read(self, path):
        if self.texts is not None:
            return self.texts.get(path)
        if not os.path.isfile(path):
            return None
        if not self.inside(path):
            raise Mistake(f"{path} lies outside {self.limit}", hint="move it into the track's folder")
        with open(path, encoding="utf-8") as source:
            try:
                return source.read()
            except UnicodeDecodeError as error:
                raise Mistake(f"not UTF-8 at byte {error.start}", path, hint="save the file as UTF-8")

    def find(self, pattern):
        pattern = self.path(pattern)
        if self.texts is not None:
            return sorted(name for name in self.texts if fnmatch.fnmatchcase(name, pattern))
        return sorted(glob.glob(pattern))

    def relative(self, path):
        return os.path.relpath(path, self.folder) if self.texts is None else path


def assemble(files, path, text, pieces, depth=0):
    """Appends (text, file, first line) pieces: `text` with each rally.collect replaced by what it names."""
    if depth > COLLECT_DEPTH:
        raise Mistake("rally.collect includes itself", path, hint="its files must not collect a file that collects them")
    end = 0
    for match in COLLECT.finditer(text):
        pieces.append((text[end : match.start()], path, text.count("\n", 0, end) + 1))
        end = match.end()
        for n, part in enumerate(files.find(os.path.join(os.path.dirname(path), match.group(1)))):
            if n:
                pieces.append((",\n", path, text.count("\n", 0, match.start()) + 1))
            assemble(files, part, files.read(part), pieces, depth + 1)
    pieces.append((text[end:], path, text.count("\n", 0, end) + 1))


def source_of(pieces, line, name):
    """File, line and text of a line of the assembled template; where parts share the line, the one that names `name`."""
    at, best, best_score = 1, None, -1
    for text, path, first in pieces:
        last = at + text.count("\n")
        if at <= line <= last:
            shown = text.split("\n")[line - at]
            score = (2 if name and name in shown else 0) + (1 if "{{" in shown or "{%" in shown else 0)
            if score > best_score:
                best, best_score = (path, first + line - at, shown), score
        at = last
    return best or ("", 0, "")


def make_code_cache(jinja2):
    class Codes(jinja2.BytecodeCache):
        """Compiled templates by name, file and text: a track is rendered with many sets of parameters. Beside each the
        names that it reads and does not set, which fall out of compiling (as jinja2.meta would find them)."""

        def __init__(self):
            self.codes, self.names = {}, set()

        def load_bytecode(self, bucket):
            bucket.code, self.names = self.codes.get((bucket.key, bucket.checksum), (None, set()))

        def dump_bytecode(self, bucket):
            if len(self.codes) >= CACHED:
                self.codes.clear()
            self.codes[bucket.key, bucket.checksum] = bucket.code, self.names

    return Codes()


def make_generator(jinja2):
    class Generator(jinja2.compiler.CodeGenerator):
        def enter_frame(self, frame):
            super().enter_frame(frame)
            resolved = jinja2.idtracking.VAR_LOAD_RESOLVE
            self.environment.bytecode_cache.names.update(
                name for action, name in frame.symbols.loads.values() if action == resolved)

    return Generator


class Shared:
    """What outlives a request: Jinja2 and what it made of texts."""

    def __init__(self, jinja2):
        self.jinja2 = jinja2
        self.codes = {True: make_code_cache(jinja2), False: make_code_cache(jinja2)}  # whole: other filters are known
        self.generator = make_generator(jinja2)
        self.known = frozenset(jinja2.defaults.DEFAULT_NAMESPACE) | frozenset(INTERNAL)


JINJA_HINT = "the language is described at jinja.palletsprojects.com, Template Designer Documentation"


class Renderer:
    def __init__(self, shared, request):
        self.shared, self.jinja2, self.request = shared, shared.jinja2, request
        self.files = Files(request["folder"], request.get("files"))
        self.main = self.files.path(request["file"])
        self.pieces, self.blanks, self.flavored = [], [], False

    def load(self, name):
        if name in HELPER_NAMES:
            return HELPERS, name, lambda: True
        if name == "<assembled>":
            return self.seen("".join(piece[0] for piece in self.pieces)), "<assembled>", lambda: True
        path = self.files.path(name)
        text = self.files.read(path) if self.request["full"] and ".." not in name.split("/") else None
        if text is None:
            raise self.jinja2.TemplateNotFound(name)
        return self.seen(text), path, lambda: True

    def seen(self, text):
        """Notes whether a text may be another one on a cluster of another flavour."""
        self.flavored = self.flavored or "build_flavor" in text or "serverless_operator" in text
        return text

    def environment(self, params):
        env = self.jinja2.sandbox.SandboxedEnvironment(
            loader=self.jinja2.FunctionLoader(self.load), undefined=make_undefined(self.jinja2, self.blanks),
            bytecode_cache=self.shared.codes[self.request["full"]])
        env.code_generator_class = self.shared.generator
        env.policies["json.dumps_function"] = dumps(self.jinja2)
        env.globals.update(params)
        env.globals["build_flavor"] = self.request["build_flavor"]
        env.globals["serverless_operator"] = self.request["serverless_operator"]
        if self.request["full"]:
            env.globals["now"] = self.request.get("now") or time.time()
            env.globals["glob"] = self.glob
            env.filters.update(days_ago=days_ago, get_start_date=get_start_date, get_end_date=get_end_date)
        return env

    def glob(self, pattern):
        if isinstance(pattern, self.jinja2.Undefined):
            raise self.jinja2.UndefinedError(f"'{pattern._undefined_name}' is undefined")
        if not isinstance(pattern, str):
            raise Mistake(f"glob and rally.collect take a text, not {one_line(repr(pattern))}")
        return [self.files.relative(file) for file in self.files.find(pattern)]

    def render(self):
        text = self.files.read(self.main)
        if text is None:
            raise Mistake("the file is missing", self.main, hint="check the name in the track")
        assemble(self.files, self.main, text, self.pieces)
        env = self.environment(self.request["params"])
        template = env.get_template("<assembled>")
        answer = {"declared": sorted(env.bytecode_cache.names - self.shared.known), "text": template.render()}
        answer["flavored"] = self.flavored
        answer["undefined"] = [dict(zip(("name", "file", "line"), (name,) + self.locate(path, line, name)[:2]))
                               for name, path, line in self.blanks[:20]]
        return answer

    def locate(self, path, line, name=""):
        if path == "<assembled>" or not path:
            return source_of(self.pieces, line, name)
        lines = (self.files.read(path) or "").split("\n") if path not in HELPER_NAMES else []
        return path, line, lines[line - 1] if 0 < line <= len(lines) else ""

    def place(self, error):
        """Innermost template frame of a traceback: file name and line."""
        at, trace = ("", 0), error.__traceback__
        while trace is not None:
            frame = trace.tb_frame  # Jinja puts a frame of its own into the traceback for each template
            if "__jinja_exception__" in frame.f_globals and frame.f_code.co_filename not in HELPER_NAMES:
                at = (frame.f_code.co_filename, trace.tb_lineno)
            trace = trace.tb_next
        return at

    def explain(self, error):
        jinja2 = self.jinja2
        if isinstance(error, Mistake):
            path, line = (error.file, error.line) if error.file else self.locate(*self.place(error))[:2]
            return Mistake(str(error), path, line, error.hint)
        if isinstance(error, jinja2.TemplateSyntaxError):
            path, line = self.locate(error.filename or "<assembled>", error.lineno)[:2]
            return Mistake(f"template error: {one_line(error)}", path, line, JINJA_HINT)
        undefined = re.match(r"'([^']+)' is undefined", str(error)) if isinstance(error, jinja2.UndefinedError) else None
        name = undefined.group(1) if undefined else ""
        path, line, shown = self.locate(*self.place(error), name)
        if isinstance(error, jinja2.TemplateNotFound):
            return Mistake(f"included file {one_line(error)} is missing", path, line,
                           "names of included files are relative to the track's folder")
        if isinstance(error, MemoryError):
            return Mistake("template error: it asks for more memory than it may have (2 GB)", path, line, JINJA_HINT)
        if isinstance(error, RecursionError):
            return Mistake("template error: an include or a macro that never ends: does it name itself?", path, line,
                           "files that include each other must not go in a circle")
        hint = f"set it: --track-params={name}:VALUE, or give it a default: {{{{ {name} | default(…) }}}}" if name else JINJA_HINT
        dash = re.search(rf"\b{re.escape(name)}-\w[\w-]*", shown) if name else None
        if dash:
            hint = f"`{dash.group()}` is read as a subtraction; did you mean {dash.group().replace('-', '_')}?"
        kind = f"`{name}` is undefined" if name else f"template error: {type(error).__name__}: {one_line(error)}"
        return Mistake(kind, path, line, hint)


def one_line(error):
    return " ".join(str(error).split())


def answer_to(shared, request):
    renderer = Renderer(shared, request)
    try:
        return renderer.render()
    except Exception as error:  # whatever a template raises is its author's to know
        mistake = renderer.explain(error)
        return {"error": str(mistake), "file": mistake.file, "line": mistake.line, "hint": mistake.hint}


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a stray print must not look like an answer
    try:
        import jinja2
        import jinja2.compiler
        import jinja2.idtracking
        import jinja2.sandbox
    except ImportError as error:
        print(json.dumps({"ready": False, "error": str(error)}), file=answers, flush=True)
        return
    count_all_branches(jinja2)
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    print(json.dumps({"ready": True, "jinja2": jinja2.__version__}), file=answers, flush=True)
    shared = Shared(jinja2)
    gc.set_threshold(100_000, 50, 50)  # compiling a template makes many objects and hardly a cycle
    for line in sys.stdin:
        print(json.dumps(answer_to(shared, json.loads(line))), file=answers, flush=True)


main()
