import { Choice } from '../chart/tabs.tsx';
import type { Looks } from '../chart/mark.tsx';
import type { Details } from '../data/types.ts';
import { Distributions, measuresOf, type Measure } from './distributions.tsx';
import { Timelines } from './timelines.tsx';

export interface Chosen {
  sc: string;
  rd: string;
  ds: string;
  dm: Measure;
}

/** The value that is asked for if it exists, else the first. */
const pick = <T extends string>(asked: string, values: T[], otherwise = values[0]): T | undefined =>
  values.find((v) => v === asked) ?? otherwise;

/** A run second by second, and its distributions. */
export function RunDetails({
  details,
  chosen,
  choose,
  looks,
}: {
  details: Details;
  chosen: Chosen;
  choose: (change: Partial<Chosen>, how?: 'push' | 'replace') => void;
  looks: Looks;
}) {
  const name = (l: Details['k6_runs'][number]) =>
    l.target ? `${l.scenario}, ${l.target} alone` : l.scenario;
  const scenarios = [...new Set(details.k6_runs.map(name))];
  const scenario = pick(
    chosen.sc,
    scenarios,
    scenarios.find((s) => s === 'stress') ?? scenarios[0],
  );
  const rounds = details.k6_runs.filter((l) => name(l) === scenario).map((l) => String(l.round));
  const round = pick(chosen.rd, rounds);
  const k6Run = details.k6_runs.find((l) => name(l) === scenario && String(l.round) === round);
  const spread = [...new Set(details.distributions.map((d) => d.scenario))];
  return (
    <>
      <section aria-label="Second by second">
        {!k6Run ? (
          <p>No k6 run of this run has a timeline.</p>
        ) : (
          <>
            <div class="row choices">
              <Choice
                legend="Scenario"
                name="sc"
                values={scenarios}
                chosen={scenario!}
                onChoose={(sc) => choose({ sc })}
              />
              <Choice
                legend="Round"
                name="rd"
                values={rounds}
                chosen={round!}
                onChoose={(rd) => choose({ rd })}
              />
            </div>
            <p>
              CPU and memory of each process, one value a second, from pidstat. The shaded seconds
              are the slices of a process; for k6 and the stub, the slices of any target. All
              servers share a scale, and so do k6 and the stub.
            </p>
            <Timelines k6Run={k6Run} looks={looks} />
          </>
        )}
      </section>
      <section aria-labelledby="distributions">
        <h3 id="distributions">Distributions</h3>
        {spread.length === 0 ? (
          <p>This run has no distributions.</p>
        ) : (
          <>
            <p>The longest time among the fastest p per cent. Both axes are logarithmic.</p>
            <Distributions
              details={details}
              looks={looks}
              scenario={pick(chosen.ds, spread, spread.at(-1))!}
              measure={pick(chosen.dm, measuresOf(details)) ?? 'stream'}
              onScenario={(ds) => choose({ ds })}
              onMeasure={(dm) => choose({ dm })}
            />
          </>
        )}
      </section>
    </>
  );
}
