import { Table, type Col } from '../chart/table.tsx';
import { axes, type Axis, referenceMachine, referenceRun, version } from '../scores/axes.ts';
import { exactly } from '../words/numbers.ts';

const cols: Col<Axis>[] = [
  { key: 'axis', label: 'axis', head: 'axis', header: true, cell: (a) => a.label },
  { key: 'figure', label: 'figure', head: 'figure', words: true, cell: (a) => <><code>{a.metric}</code> in {a.scenario}</> },
  { key: 'reference', label: 'reference', head: 'reference', cell: (a) => `${exactly(a.reference, a)} of ${a.of}${a.run ? `, run ${a.run}` : ''}` },
  { key: 'formula', label: 'formula', head: 'formula, x the figure, r the reference', cell: (a) => formula(a.kind, a.better) },
];

/** The formula of scores with its reference, as the code has it. */
export function Scored() {
  return (
    <>
      <h2 id="scores">Scores</h2>
      <p>
        Score v{version} puts each axis between 0 and 100 by a server's own figure and a <strong>fixed reference</strong>: no filter, other server or newer run changes it. The reference is run {referenceRun} on {referenceMachine}, medians of three rounds; of the gap between tokens an older run, named below.
        Of req/s, CPU and memory 50 is as good as go-http was there, 100 ten times better and 0 ten times worse. Of latencies 100 is as quick as direct was there, with no server between, and 0 a thousand times slower.
        Both go by the logarithm: twice as good is 15 points of the first kind and 10 of the second, wherever it is.
      </p>
      <p>On another machine than the reference's all scores of an axis move together. Compare servers within one run. What failed or was not run has no score: it is not 0 and is no part of the mean, and beside a mean stands of how many axes it is.</p>
      <Table caption={`Axes of score v${version}`} cols={cols} rows={[...axes]} id={(a) => a.id} />
    </>
  );
}

function formula(kind: 'middle' | 'tail', better: 'higher' | 'lower'): string {
  if (kind === 'tail') return '100 − 100/3 · log10(x/r)';
  return better === 'higher' ? '50 + 50 · log10(x/r)' : '50 − 50 · log10(x/r)';
}
