import { Mark } from '../chart/mark.tsx';
import { look } from '../chart/palette.ts';
import type { Manifest, Series } from '../data/form.ts';
import { Button } from '../frame/button.tsx';
import { useDark } from '../frame/theme.ts';
import { listed, three, unitOf } from '../words/numbers.ts';
import { metricOf } from '../words/verdict.ts';
import { front, shown, type TrendState } from './state.ts';

export interface ControlsProps {
  m: Manifest;
  s: TrendState;
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void;
  series: Series | null;
}

export function Controls({ m, s, set, series }: ControlsProps) {
  const over = metricOf(m.metrics, s.metric).over;
  const related =
    over !== null && m.series[`${s.scenario}/${over}`] ? metricOf(m.metrics, over) : null;
  const measured = (metric: string, scenario: string) =>
    m.series[`${scenario}/${metric}`] !== undefined;
  const metrics = m.metrics.filter((x) => m.scenarios.some((sc) => measured(x.name, sc)));
  return (
    <>
      <Servers m={m} s={s} set={set} series={series} />
      <fieldset>
        <legend>Scenario</legend>
        {m.scenarios.map((sc) => (
          <label class="pick">
            <input
              type="radio"
              name="sc"
              checked={s.scenario === sc}
              onChange={() => set({ scenario: sc })}
            />{' '}
            {sc}
            {!measured(s.metric, sc) && <span class="soft"> (not this metric)</span>}
          </label>
        ))}
      </fieldset>
      <label class="field">
        Metric
        <select value={s.metric} onChange={(e) => set({ metric: e.currentTarget.value })}>
          {metrics.map((x) => (
            <option value={x.name}>
              {x.label}
              {measured(x.name, s.scenario) ? '' : ' (not in this scenario)'}
            </option>
          ))}
        </select>
      </label>
      <p class="soft means">
        {metricOf(m.metrics, s.metric).means}
        {
          { higher: '; more is better', lower: '; less is better', '': '' }[
            metricOf(m.metrics, s.metric).better
          ]
        }
        .
      </p>
      {related && (
        <fieldset>
          <legend>Value</legend>
          <label class="pick">
            <input
              type="radio"
              name="of"
              checked={s.of === 'measured'}
              onChange={() => set({ of: 'measured' })}
            />{' '}
            as measured
          </label>
          <label class="pick">
            <input
              type="radio"
              name="of"
              checked={s.of === 'direct'}
              onChange={() => set({ of: 'direct' })}
            />{' '}
            {related.label}
          </label>
        </fieldset>
      )}
      {m.commits.count > 1 && <Ways s={s} set={set} />}
    </>
  );
}

/** How lines are drawn, once there can be some. */
function Ways({ s, set }: Pick<ControlsProps, 's' | 'set'>) {
  return (
    <>
      <fieldset>
        <legend>Across</legend>
        <label class="pick">
          <input
            type="radio"
            name="x"
            checked={s.x === 'commit'}
            onChange={() => set({ x: 'commit' })}
          />{' '}
          by commit
        </label>
        <label class="pick">
          <input
            type="radio"
            name="x"
            checked={s.x === 'date'}
            onChange={() => set({ x: 'date' })}
          />{' '}
          by date
        </label>
      </fieldset>
      <fieldset>
        <legend>Upwards</legend>
        <label class="pick">
          <input
            type="radio"
            name="y"
            checked={s.y === 'linear'}
            onChange={() => set({ y: 'linear' })}
          />{' '}
          linear
        </label>
        <label class="pick">
          <input type="radio" name="y" checked={s.y === 'log'} onChange={() => set({ y: 'log' })} />{' '}
          logarithmic
        </label>
        <label class="pick">
          <input
            type="radio"
            name="y"
            checked={s.y === 'relative'}
            onChange={() => set({ y: 'relative' })}
          />{' '}
          in % of {s.base === '' ? 'the first in view' : <code>{s.base}</code>}
        </label>
        {s.y === 'relative' && s.base !== '' && (
          <Button onPress={() => set({ base: '' })}>% of the first in view</Button>
        )}
        {s.y === 'relative' && s.sel !== '' && s.sel !== s.base && (
          <Button onPress={() => set({ base: s.sel })}>% of the chosen commit</Button>
        )}
      </fieldset>
      <fieldset>
        <legend>Drawn beside the points</legend>
        <label class="pick">
          <input
            type="checkbox"
            checked={s.smooth}
            onChange={(e) => set({ smooth: e.currentTarget.checked })}
          />{' '}
          line through medians of 7 runs
        </label>
        <label class="pick">
          <input
            type="checkbox"
            checked={s.band === 'noise'}
            onChange={(e) => set({ band: e.currentTarget.checked ? 'noise' : 'none' })}
          />{' '}
          band of run-to-run noise
        </label>
      </fieldset>
    </>
  );
}

/** The legend is the choice of servers. */
function Servers({ m, s, set, series }: ControlsProps) {
  const names = m.servers.filter((x) => x.last >= 0).map((x) => x.name);
  const dark = useDark();
  const of = metricOf(m.metrics, shown(m, s).metric);
  const choose = (name: string, on: boolean) =>
    set({
      servers: names.filter((n) => (n === name ? on : s.servers.includes(n))),
      ...(on ? { on: name } : {}),
    });
  return (
    <fieldset class="servers">
      <legend>
        Servers <span class="soft">and their newest, {unitOf(of) || of.label}</span>
      </legend>
      <div class="row">
        <Button off={s.servers.length === names.length} onPress={() => set({ servers: names })}>
          all
        </Button>
        <Button off={s.servers.length === 0} onPress={() => set({ servers: [] })}>
          none
        </Button>
      </div>
      <ul>
        {m.servers.map((server, slot) => {
          if (server.last < 0) return null;
          const newest = newestOf(series, server.name);
          const gone = server.last < m.commits.count - 1;
          return (
            <li class={front(s) === server.name ? 'front' : ''}>
              <label class="pick">
                <input
                  type="checkbox"
                  checked={s.servers.includes(server.name)}
                  onChange={(e) => choose(server.name, e.currentTarget.checked)}
                />
                <Mark of={look(slot, dark)} />
                <span class="name">{server.name}</span>
                <span class="newest" title={gone ? 'not in the newest run' : 'newest'}>
                  {newest === null ? '' : three(newest * of.scale)}
                  {gone && ' †'}
                </span>
              </label>
              <button
                type="button"
                class="link"
                onClick={() => set({ servers: [server.name], on: server.name })}
              >
                only<span class="hidden"> {server.name}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {m.servers
        .filter((x) => x.was.length > 0)
        .map((x) => (
          <p class="soft">
            {x.name} was {listed(x.was)}; one line has all its figures
          </p>
        ))}
      {m.servers.some((x) => x.last >= 0 && x.last < m.commits.count - 1) && (
        <p class="soft">† not in the newest run; its last figure</p>
      )}
    </fieldset>
  );
}

const newestOf = (of: Series | null, server: string): number | null =>
  of?.servers[server]?.m.findLast((v) => v !== null) ?? null;
