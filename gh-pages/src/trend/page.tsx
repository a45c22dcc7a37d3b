import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { commitsOf } from '../data/commits.ts';
import { located, root, unlike, type Site } from '../data/fetch.ts';
import type { Events, Series } from '../data/form.ts';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { many } from '../words/numbers.ts';
import { metricOf } from '../words/verdict.ts';
import { Controls } from './controls.tsx';
import { fieldsOf, shown } from './state.ts';
import { View } from './view.tsx';

export function Trend({ site }: { site: Site }) {
  const m = site.manifest;
  const { count } = m.commits;
  const fields = useMemo(() => fieldsOf(m), [m]);
  const [{ state: s, ...odd }, set] = useQuery(fields);
  const { metric, series: name } = shown(m, s);
  const label = metricOf(m.metrics, metric).label;
  const title = `${label}, ${s.scenario}`;
  useEffect(() => {
    if (m.series[name]) document.title = `${title} · Trend · Fairstream`;
  }, [title]);
  const file = m.series[name];
  const series = useAnswer<Series>(
    file
      ? async () => {
          const read = await site.read<Series>((x) => located(x.series[name], `series ${name}`));
          return read.ok && read.value.series !== name ? unlike('another series', file) : read;
        }
      : null,
    [name],
  );
  const events = useAnswer(() => site.read<Events>((x) => located(x.events, 'events')), []);
  const commits = useAnswer(count > 0 ? () => commitsOf(site) : null, []);
  const read = series.answer?.ok ? series.answer.value : null;
  const controls = useMemo(
    () => <Controls m={m} s={s} set={set} series={read} />,
    [m, s, set, read],
  );

  if (count === 0)
    return (
      <>
        <h1>Trend</h1>
        <Notice>
          No run has been published yet. The first run on main makes the first point; a trend needs
          two.
        </Notice>
      </>
    );
  if (Object.keys(m.series).length === 0) {
    return (
      <>
        <h1>Trend</h1>
        <Notice>
          No run has a point yet. The runs so far were shortened (-quick) or failed.{' '}
          {m.leaderboard !== null && (
            <>
              Their figures are on the <a href={href(root(), 'leaderboard')}>Leaderboard</a>.
            </>
          )}
        </Notice>
      </>
    );
  }
  const notice = strange(odd);
  return (
    <>
      <h1>{title}</h1>
      {notice && <Notice role="status">{notice}</Notice>}
      <div class="trend">
        <Sheet title={`${s.scenario}, ${label}, ${many(s.servers.length, 'server')}`}>
          {controls}
        </Sheet>
        <div>
          <When asked={commits} what="the figures" tall>
            {(c) => (
              <View
                site={site}
                commits={c}
                series={series}
                events={events}
                fields={fields}
                s={s}
                set={set}
              />
            )}
          </When>
        </div>
      </div>
    </>
  );
}

/** On a phone what is chosen is folded away. */
function Sheet({ title, children }: { title: string; children: ComponentChildren }) {
  const [wide] = useState(() => matchMedia('(min-width: 60.01rem)').matches);
  return (
    <details class="controls" open={wide}>
      <summary class="sheet">Choose: {title}</summary>
      {children}
    </details>
  );
}
