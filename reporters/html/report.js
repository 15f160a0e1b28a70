'use strict';
// Draws the charts of the report out of the data beside it. All text goes through textContent: names are never markup.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const root = document.getElementById('charts');
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6bb1', '#7f7f7f'];
  const mostNamed = 24;  // a legend of hundreds of tasks helps nobody
  const several = data.races.length > 1;
  const figures = [];
  let chosen = null;  // a task's name; null: all, along the race

  const element = (parent, tag, text, name) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    parent.appendChild(made);
    return made;
  };
  const short = (value) => value === null || value === undefined ? '' : Number(value.toPrecision(4)).toLocaleString('en');
  const compact = (value) => Math.abs(value) < 10000 ? short(value)
    : value.toLocaleString('en', {notation: 'compact', maximumSignificantDigits: 4});
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const raceName = (race) => several ? race.id.slice(0, 12) + ' ' : '';
  const tasks = () => data.races.flatMap((race) => race.tasks
    .filter((task) => chosen === null || task.task === chosen)
    .map((task) => ({race, task, shift: chosen === null ? 0 : task.start}))).map((one, colour) => ({...one, colour}));

  // Lines: {name, x: [], y: [], dashed}. Dygraphs wants one table over all values of x.
  const rows = (lines) => {
    const at = new Map();
    lines.forEach((line, i) => line.x.forEach((x, k) => {
      if (!at.has(x)) at.set(x, new Array(lines.length).fill(null));
      at.get(x)[i] = line.y[k];
    }));
    return [...at.entries()].sort((a, b) => a[0] - b[0]).map(([x, values]) => [x, ...values]);
  };

  const colourOf = (line, i) => colours[(line.colour === undefined ? i : line.colour) % colours.length];

  const draw = (figure) => {
    if (figure.graph) figure.graph.destroy();
    figure.graph = null;
    const lines = figure.lines().filter((line) => line.x.length > 0);
    figure.box.hidden = lines.length === 0;
    figure.legend.replaceChildren();
    if (lines.length === 0) return;
    const series = {};
    lines.forEach((line, i) => {
      series['s' + i] = {color: colourOf(line, i), strokePattern: line.dashed ? [6, 4] : null};
    });
    const show = (row) => {
      figure.legend.replaceChildren();
      const wanted = lines.map((line, i) => i).filter((i) => !row || lines.length <= mostNamed || row[i] !== null);
      wanted.slice(0, mostNamed).forEach((i) => {
        const line = lines[i];
        const entry = element(figure.legend, 'span');
        const mark = element(entry, 'i');
        mark.style.borderTop = (line.dashed ? '3px dashed ' : '3px solid ') + colourOf(line, i);
        entry.appendChild(document.createTextNode(line.name + (row ? ': ' + short(row[i]) : '')));
      });
      if (wanted.length > mostNamed)
        element(figure.legend, 'span', 'and ' + (wanted.length - mostNamed) + ' more; choose a task above');
    };
    const options = {
      labels: ['x', ...lines.map((_, i) => 's' + i)], series, legend: 'never', connectSeparatedPoints: true,
      strokeWidth: 1.5, drawPoints: lines.some((line) => line.x.length < 3), gridLineColor: css('--faint'),
      axisLineColor: css('--faint'), includeZero: !figure.log, logscale: !!figure.log, animatedZooms: false,
      highlightCallback: (event, x, points, row) => {
        const values = lines.map(() => null);
        points.forEach((point) => { values[Number(point.name.slice(1))] = point.yval; });
        show(values);
      },
      unhighlightCallback: () => show(null),
      xlabel: figure.timed ? 'seconds' : 'percentile',
      axes: {y: {axisLabelWidth: 70, axisLabelFormatter: compact}, x: {axisLabelFormatter: short, ...figure.axis}},
    };
    if (figure.timed) {
      options.zoomCallback = (from, to) => figures.forEach((other) => {
        if (other.timed && other !== figure && other.graph) other.graph.updateOptions({dateWindow: [from, to]});
      });
      if (figure.window) options.dateWindow = figure.window();
    }
    figure.graph = new Dygraph(figure.chart, rows(lines), options);
    show(null);
  };

  const add = (title, what) => {
    const box = element(root, 'figure');
    element(box, 'h2', title);
    const legend = element(box, 'div', '', 'legend');
    const chart = element(box, 'div', '', 'chart');
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', title + '; the tables below hold the figures');
    figures.push({title, box, legend, chart, ...what});
  };

  const timeLines = (keys, fits) => () => tasks().filter(({task}) => !fits || fits(task))
    .flatMap(({race, task, shift, colour}) => keys.map(([key, label, dashed]) => ({
      name: raceName(race) + task.task + (label ? ' ' + label : ''),
      x: task[key] ? task.t.map((t) => t - shift) : [], y: task[key] || [], dashed, colour})));

  // One axis for all charts over time, so that telemetry stands under what it explains.
  const span = () => {
    let to = 0;
    tasks().forEach(({task, shift}) => { to = Math.max(to, task.t[task.t.length - 1] - shift); });
    return [0, Math.max(to * 1.02, 0.1)];
  };

  [...new Set(data.races.flatMap((race) => race.tasks.map((task) => task.unit)))].forEach((unit) => {
    add('Throughput over time (' + (unit || 'no unit') + ')', {timed: true, window: span,
      lines: timeLines([['rate', '', false]], (task) => task.unit === unit)});
  });
  add('Latency over time (ms)', {timed: true, window: span,
    lines: timeLines([['p50', 'median', false], ['p99', '99th percentile', true]])});
  add('Failed requests over time', {timed: true, window: span,
    lines: () => timeLines([['errors', '', false]])().filter((line) => line.y.some((value) => value > 0))});
  add('Latency by percentile (ms, logarithmic)', {
    log: true,
    axis: {
      axisLabelFormatter: (nines) => short(100 * (1 - Math.pow(10, -nines))) + ' %',
      ticker: (from, to) => {
        const ticks = [];
        [0, 0.30103, 1, 2, 3, 4, 5, 6, 7].forEach((v) => {
          if (v >= from - 0.01 && v <= to + 0.01)
            ticks.push({v, label: v === 0 ? '0' : Number((100 * (1 - Math.pow(10, -v))).toPrecision(8)) + ''});
        });
        return ticks;
      },
    },
    lines: () => tasks().flatMap(({race, task, colour}) => {
      const lines = [{colour, name: raceName(race) + task.task, x: task.nines, y: task.latency.map((v) => Math.max(v, 1e-4))}];
      const differs = task.latency.some((value, i) => Math.abs(value - task.service[i]) > 0.01 * value);
      if (differs) lines.push({colour, name: raceName(race) + task.task + ' service time', x: task.nines,
        y: task.service.map((v) => Math.max(v, 1e-4)), dashed: true});
      return lines;
    }),
  });

  const shiftOf = (race) => {
    const task = race.tasks.find((one) => one.task === chosen);
    return task ? task.start : 0;
  };
  [...new Set(data.races.flatMap((race) => race.metrics.map((metric) => metric.name)))].forEach((name) => {
    add('Telemetry: ' + name, {timed: true, window: span,
      lines: () => data.races.flatMap((race) => race.metrics.filter((metric) => metric.name === name).map((metric) => ({
        name: raceName(race) + (metric.node || 'cluster') + (metric.unit ? ' (' + metric.unit + ')' : ''),
        x: metric.t.map((t) => t - shiftOf(race)), y: metric.v})))});
  });

  const names = [...new Set(data.races.flatMap((race) => race.tasks.map((task) => task.task)))];
  const controls = document.createElement('p');
  controls.className = 'controls';
  const label = element(controls, 'label', 'Task ');
  const select = element(label, 'select');
  element(select, 'option', 'all, along the race').value = '';
  names.forEach((name, i) => { element(select, 'option', name).value = String(i + 1); });
  select.addEventListener('change', () => {
    chosen = select.value === '' ? null : names[Number(select.value) - 1];
    figures.forEach(draw);
  });
  root.prepend(controls);
  figures.forEach(draw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => figures.forEach(draw));
  // Paper has no summaries to click on, and no dark.
  window.addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  document.documentElement.dataset.drawn = String(figures.filter((figure) => figure.graph).length);
})();
