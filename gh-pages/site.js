// Draws charts/data.js: a chart for each scenario and metric, a line for each
// server. The file is read as data, never run; whatever it says becomes text.
'use strict';

const prefix = 'window.BENCHMARK_DATA = ';
const svgNS = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; strings become text. */
function make(ns, name, attributes = {}, ...children) {
  const e = ns ? document.createElementNS(ns, name) : document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}
const html = (...args) => make(null, ...args);
const svg = (...args) => make(svgNS, ...args);

/** Only a link of the web is one: what the file says may be javascript:. */
function linked(url, element) {
  if (/^https:\/\//.test(url)) element.setAttribute('href', url);
  return element;
}

const short = (id) => String(id).slice(0, 7);
const day = (timestamp) => String(timestamp).slice(0, 10);

/** Charts by title, each with its commits in order and points by server. */
function charts(data) {
  const all = new Map();
  for (const [suite, entries] of Object.entries(data.entries)) {
    for (const { commit, tool, benches } of entries) {
      for (const b of benches) {
        const [, server, scenario, metric] = /^(\S+) (\S+) (.+)$/.exec(b.name) ?? [];
        if (!server || typeof b.value !== 'number') continue;
        const key = `${scenario}: ${metric}, ${suite.replace(/^.*, /, '')}`;
        if (!all.has(key)) all.set(key, { key, epoch: /epoch (\w+)/.exec(metric)?.[1] ?? '', bigger: tool === 'customBiggerIsBetter', unit: b.unit, commits: [], servers: new Map() });
        const c = all.get(key);
        if (c.commits.at(-1)?.id !== commit.id) c.commits.push(commit);
        if (!c.servers.has(server)) c.servers.set(server, new Map());
        c.servers.get(server).set(commit.id, b);
      }
    }
  }
  // The epoch of the newest commit first; what is over stays below.
  const last = (c) => c.commits.at(-1).timestamp;
  const ends = new Map();
  for (const c of all.values()) if (!(last(c) < (ends.get(c.epoch) ?? ''))) ends.set(c.epoch, last(c));
  const order = (c) => ends.get(c.epoch);
  return [...all.values()].sort((a, b) => order(a) === order(b) ? (a.key < b.key ? -1 : 1) : (order(a) < order(b) ? 1 : -1));
}

/** Colours belong to servers, not to places in one chart. */
const colours = [];
const colour = (server) => `s${(colours.includes(server) ? colours.indexOf(server) : colours.push(server) - 1) % 8}`;

/** A round step that divides a range into about four. */
function step(range) {
  const s = 10 ** Math.floor(Math.log10(range / 4));
  return [1, 2, 5, 10].map((f) => f * s).find((t) => range / t <= 5);
}

function draw(c, width) {
  const height = 240, left = 56, right = 12, top = 12, bottom = 24;
  const values = [...c.servers.values()].flatMap((points) => [...points.values()].map((b) => b.value));
  let low = Math.min(...values), high = Math.max(...values);
  const margin = (high - low || Math.abs(high) || 1) * 0.08;
  low = low < 0 ? low - margin : Math.max(0, low - margin); // what is added may be less than nothing
  high += margin;
  const x = (i) => Math.round(10 * (left + (width - left - right) * (c.commits.length < 2 ? 0.5 : i / (c.commits.length - 1)))) / 10;
  const y = (v) => Math.round(10 * (top + (height - top - bottom) * (high - v) / (high - low))) / 10;
  // The table below says the same to those who do not see or point.
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  const by = step(high - low);
  for (let tick = Math.ceil(low / by) * by; tick <= high; tick += by) {
    picture.append(svg('line', { class: 'axis', x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      svg('text', { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, String(Number(tick.toPrecision(6)))));
  }
  const last = c.commits.length - 1;
  for (const [i, anchor] of last > 0 ? [[0, 'start'], [last, 'end']] : [[0, 'middle']]) {
    picture.append(svg('text', { x: x(i), y: height - 6, 'text-anchor': anchor }, `${short(c.commits[i].id)}, ${day(c.commits[i].timestamp)}`));
  }
  for (const [server, points] of [...c.servers].sort()) {
    const known = c.commits.map((commit, i) => [i, commit, points.get(commit.id)]).filter(([, , b]) => b);
    picture.append(svg('path', { class: colour(server), d: known.map(([i, , b], n) => `${n ? 'L' : 'M'}${x(i)} ${y(b.value)}`).join('') }));
    for (const [i, commit, b] of known) {
      const text = [`${server}: ${b.value} ${b.unit}`, b.range && `rounds: ${b.range}`, b.extra, `${short(commit.id)} ${commit.message}`, commit.timestamp];
      picture.append(linked(commit.url, svg('a', { tabindex: '-1' },
        svg('circle', { class: `p ${colour(server)}`, cx: x(i), cy: y(b.value), r: 3.5 }, svg('title', {}, text.filter(Boolean).join('\n'))))));
    }
  }
  return picture;
}

function table(c) {
  const servers = [...c.servers.keys()].sort();
  const rows = c.commits.toReversed().map((commit) => html('tr', {},
    html('th', { scope: 'row' }, linked(commit.url, html('a', {}, short(commit.id))), ` ${day(commit.timestamp)}`),
    ...servers.map((s) => html('td', {}, String(c.servers.get(s).get(commit.id)?.value ?? '?')))));
  const head = html('tr', {}, html('th', { scope: 'col' }, 'commit'), ...servers.map((s) => html('th', { scope: 'col' }, s)));
  return html('div', { class: 'scroll' }, html('table', {}, html('thead', {}, head), html('tbody', {}, ...rows)));
}

function show(data) {
  const all = charts(data);
  const status = document.getElementById('status');
  if (all.length === 0) return void (status.textContent = 'No data yet.');
  const updated = new Date(data.lastUpdate);
  status.textContent = `Last updated ${updated.toISOString().slice(0, 16).replace('T', ' ')} UTC. A point is the median of a run's rounds and leads to its commit; lines join what is known.`;
  all.flatMap((c) => [...c.servers.keys()]).sort().forEach(colour);
  for (const c of all) {
    const legend = html('figcaption', {}, ...[...c.servers.keys()].sort().map((s) => html('span', {}, html('i', { class: `dot ${colour(s)}` }), s)));
    const figure = html('figure', {}, legend);
    const details = html('details', {}, html('summary', {}, 'Table'));
    details.addEventListener('toggle', () => details.append(table(c)), { once: true });
    document.querySelector('main').append(html('section', {}, html('h2', {}, c.key),
      html('p', { class: 'note' }, `${c.unit}, ${c.bigger ? 'more' : 'less'} is better. The axis need not begin at 0.`), figure, details));
    let width = 0;
    new ResizeObserver(() => { // drawn to measure, so that text keeps its size on a phone
      if (figure.clientWidth === width) return;
      width = figure.clientWidth;
      figure.querySelector('svg')?.remove();
      figure.prepend(draw(c, width));
    }).observe(figure);
  }
}

fetch('charts/data.js', { cache: 'no-cache' }).then(async (answer) => {
  if (answer.status === 404) return show({ entries: {} });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const text = await answer.text();
  show(JSON.parse(text.startsWith(prefix) ? text.slice(prefix.length) : text));
}).catch((error) => {
  document.getElementById('status').textContent = `The figures cannot be read: charts/data.js: ${error.message}.`;
});
