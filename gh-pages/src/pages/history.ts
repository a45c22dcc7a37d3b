// Shows the history of another server, metric or load, and the commit at a point. The pictures are files.
import type { Commits, Series } from '../data/types.ts';
import { three } from '../words/numbers.ts';

const chart = document.getElementById('chart');
const form = document.querySelector<HTMLFormElement>('#chips');
const line = document.getElementById('point');
if (chart && form && line) explore(chart, form, line);

function explore(chart: HTMLElement, form: HTMLFormElement, line: HTMLElement): void {
  const root = document.querySelector<HTMLMetaElement>('meta[name=root]')!.content;
  const series = JSON.parse(document.getElementById('series')!.textContent!) as Record<
    string,
    string[]
  >;
  const select = (name: string) => form.elements.namedItem(name) as HTMLSelectElement;
  const [metric, scenario, server] = [select('m'), select('sc'), select('sv')];
  const chosen = () => `${scenario.value}/${metric.value}`;

  const offer = () => {
    for (const o of metric.options) o.disabled = !series[scenario.value]?.includes(o.value);
    if (metric.selectedOptions[0]?.disabled) metric.value = series[scenario.value]![0]!;
  };
  const show = async (push: boolean) => {
    offer();
    const asked = chosen();
    const picture = () => `${chosen()}/${server.value}.svg`;
    const file = picture();
    points = undefined;
    const answer = await fetch(file, { cache: 'no-cache' }).catch(() => null); // the line below says so
    if (file !== picture()) return; // another choice came after
    if (!answer?.ok) {
      line.textContent =
        answer?.status === 404
          ? `${server.value} has no figures of ${metric.selectedOptions[0]?.text} in ${scenario.value}.`
          : `${file} could not be read. Is there a connection?`;
      return;
    }
    // A file brings the colours of a picture alone. Here it has those of the page.
    const text = (await answer.text()).replace(
      /<style>[^<]*<\/style>|<rect class="paper"[^>]*>/g,
      '',
    );
    const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    drawn.removeAttribute('viewBox');
    drawn.querySelector('svg.plot')!.setAttribute('width', '100%');
    drawn.setAttribute('width', '100%');
    chart.querySelector('svg')!.replaceWith(document.adoptNode(drawn));
    const better = metric.selectedOptions[0]?.dataset.better;
    document.getElementById('caption')!.textContent = [drawn.getAttribute('aria-label'), better]
      .filter(Boolean)
      .join(', ');
    line.textContent = '';
    const links = document.querySelectorAll<HTMLAnchorElement>('#files a');
    links[0]!.href = `${asked}.json`;
    links[1]!.href = file;
    if (push)
      history.pushState(
        null,
        '',
        `?sc=${scenario.value}&m=${metric.value}&sv=${encodeURIComponent(server.value)}`,
      );
  };

  /** The choice in the address. What it does not name, or the site does not have, is as the page began. */
  const read = (): boolean => {
    const query = new URLSearchParams(location.search);
    let changed = false;
    for (const [field, text] of [
      [scenario, query.get('sc')],
      [metric, query.get('m')],
      [server, query.get('sv')?.split(',')[0]],
    ] as const) {
      const options = [...field.options];
      const next = options.find((o) => o.value === text) ?? options.find((o) => o.defaultSelected);
      if (!next || field.value === next.value) continue;
      field.value = next.value;
      changed = true;
    }
    return changed;
  };

  let points: Promise<[Series, Commits]> | undefined;
  let at = -1;
  const load = async <T>(path: string) => (await (await fetch(path)).json()) as T;
  const say = async (share: number | null, step = 0) => {
    points ??= Promise.all([
      load<Series>(`${chosen()}.json`),
      load<Commits>(root + form.dataset.commits!),
    ]);
    points.catch(() => (points = undefined)); // the next move asks again
    const [of, commits] = await points;
    const column = of.servers[server.value];
    if (!column) return;
    const measured = column.m.flatMap((v, i) => (v === null ? [] : [i]));
    const places = commits.sha.length - 1;
    const wanted = share === null ? at : Math.round(share * places);
    let near = measured.findIndex((i) => i >= wanted);
    if (near < 0) near = measured.length - 1;
    at = measured[Math.max(0, Math.min(measured.length - 1, near + step))]!;
    tell(of, commits);
  };
  const tell = (of: Series, commits: Commits) => {
    const column = of.servers[server.value]!;
    const scale = Number(metric.selectedOptions[0]!.dataset.scale ?? 1);
    const figure = (v: number | null | undefined) => (v == null ? 'unknown' : three(v * scale));
    const time = commits.time[at];
    const date = time == null ? '' : `, ${new Date(time * 1000).toISOString().slice(0, 10)}`;
    const run = commits.run[at];
    const link = document.createElement('a');
    link.textContent = commits.sha[at]!;
    if (run) link.href = `../run/?id=${run}`;
    const subject = commits.subject[at] ? ` “${commits.subject[at]}”` : '';
    const [mean, low, high] = [column.m[at], column.l[at], column.h[at]].map(figure);
    const rounds = low === high ? '' : `, rounds ${low} to ${high}`;
    line.replaceChildren(
      `${metric.selectedOptions[0]!.text}: ${mean}${rounds}, at `,
      link,
      `${subject}${date}`,
    );
    mark(at / Math.max(1, commits.sha.length - 1));
  };
  const mark = (share: number) => {
    const plot = chart.querySelector('svg.plot')!;
    let cursor = plot.querySelector('line.cursor');
    if (!cursor) {
      cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      cursor.setAttribute('class', 'cursor');
      cursor.setAttribute('y2', '100%');
      plot.append(cursor);
    }
    for (const x of ['x1', 'x2']) cursor.setAttribute(x, `${100 * share}%`);
  };

  form.addEventListener('change', () => void show(true));
  form.addEventListener('submit', (e) => e.preventDefault());
  addEventListener('popstate', () => read() && void show(false));
  const point = (e: PointerEvent) => {
    const box = chart.querySelector('svg.data')!.getBoundingClientRect();
    const share = (e.clientX - box.left) / box.width;
    void say(Math.max(0, Math.min(1, share)));
  };
  chart.addEventListener('pointermove', point);
  chart.addEventListener('pointerdown', point);
  chart.addEventListener('keydown', (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    if (at < 0) void say(1);
    else void say(null, step);
  });
  offer();
  if (read()) void show(false);
}
