// The newest leaderboard run as a picture: which server is cheapest, which is fastest, and which
// servers are tied.
import { Bar } from '../chart/bar.tsx';
import { Mark, useLooks } from '../chart/mark.tsx';
import type { Site } from '../data/fetch.ts';
import type { Leaderboard, Ranking } from '../data/types.ts';
import { cellOf } from '../data/leaderboard.ts';
import type { Metric } from '../data/form.ts';
import { href } from '../frame/href.ts';
import { axisOf } from '../leaderboard/rows.ts';
import { moment, three } from '../words/numbers.ts';
import { place, placeSpoken, standing } from '../words/ranks.ts';
import { metricOf } from '../words/verdict.ts';

const words = (m: Metric) => {
  if (m.name === 'server_rss_peak_bytes') return { best: 'Smallest', order: 'least' };
  return m.better === 'higher'
    ? { best: 'Fastest', order: 'most' }
    : { best: 'Cheapest', order: 'least' };
};

/** One ranking: a bar for each server, with the spread of its rounds and its rank. */
function Bars({
  site,
  leaderboard,
  ranking,
}: {
  site: Site;
  leaderboard: Leaderboard;
  ranking: Ranking;
}) {
  const looks = useLooks(site);
  const m = metricOf(site.manifest.metrics, ranking.metric);
  const cell = (server: string) => cellOf(leaderboard, ranking.scenario, server, m.name) ?? null;
  const domain = axisOf(ranking.ranked.map((s) => cell(s.server)));
  const tied = ranking.ranked.filter((s) => s.best === 1).length > 1;
  return (
    <figure>
      <figcaption>
        <strong>
          {words(m).best}: {m.label} in{' '}
          <a href={href(site.root, 'leaderboard', `?sc=${ranking.scenario}`)}>{ranking.scenario}</a>
          , {words(m).order} first
        </strong>
      </figcaption>
      <ol class="bars">
        {ranking.ranked.map((s) => {
          const c = cell(s.server);
          const [mid, low, high] = c?.map((v) => three(v * m.scale)) ?? [];
          return (
            <li class={tied && s.best === 1 ? 'tied' : ''}>
              <span aria-hidden="true">{place(ranking, s.server)}</span>
              <span>
                <Mark of={looks(s.server)} /> {s.server}
              </span>
              <span class="soft">
                {c && (
                  <Bar
                    value={c[0]}
                    low={c[1]}
                    high={c[2]}
                    domain={domain}
                    width={180}
                    height={14}
                  />
                )}
              </span>
              <span class="now">
                {mid ?? 'unknown'}
                <span class="hidden">
                  {low !== high && `, ${low} to ${high}`}, {placeSpoken(ranking, s.server)}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      <p class="soft">{ranking.tie}</p>
    </figure>
  );
}

/** Nothing for a shortened run, or a run without a ranking. */
export function Standing({ site, leaderboard }: { site: Site; leaderboard: Leaderboard }) {
  const rankings = leaderboard.rankings.filter((r) => r.ranked.length > 1);
  if (leaderboard.quick || rankings.length === 0) return null;
  return (
    <section aria-labelledby="standing">
      <h2 id="standing">Which server is cheapest, fastest and smallest</h2>
      <p class="answer">
        {rankings
          .map((r) => standing(r, words(metricOf(site.manifest.metrics, r.metric)).best))
          .join(' ')}
      </p>
      <div class="panels standing">
        {rankings.map((r) => (
          <Bars key={r.metric} site={site} leaderboard={leaderboard} ranking={r} />
        ))}
      </div>
      <p class="soft">
        All servers were loaded in the same minutes, {moment(Date.parse(leaderboard.time) / 1000)}.
        A bar begins at 0{leaderboard.rounds > 1 && ', and its line is the spread of the rounds'}.
        The number in front is the rank. Servers tied with the first have a thick line in front.{' '}
        <a href={href(site.root, 'leaderboard')}>Whole leaderboard</a>.
      </p>
    </section>
  );
}
