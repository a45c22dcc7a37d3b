import { axes, referenceMachine, referenceRun, version } from '../scores/axes.ts';
import { exact } from '../words/numbers.ts';

/** The formula of scores with its reference, as the code has it. */
export function Scored() {
  return (
    <>
      <h2 id="scores">Scores</h2>
      <p>
        Score v{version} puts each axis between 0 and 100 by a server's own figure and a <strong>fixed reference</strong>: no filter, other server or newer run changes it. The reference is run {referenceRun} on {referenceMachine}, medians of three rounds.
        Of throughput, CPU and memory 50 is as good as go-http was there, 100 ten times better and 0 ten times worse. Of latencies 100 is as quick as direct was there, with no server between, and 0 a thousand times slower.
        Both go by the logarithm: twice as good is 15 points of the first kind and 10 of the second, wherever it is.
      </p>
      <p>On another machine than the reference's all scores of an axis move together. Compare servers within one run. What was not run has no score: it is not 0 and is no part of the mean, and beside a mean stands of how many axes it is.</p>
      <div class="scroll" role="region" aria-label="Axes of the score" tabIndex={0}>
        <table class="cards">
          <caption>Axes of score v{version}</caption>
          <thead><tr><th scope="col">axis</th><th scope="col" class="words">figure</th><th scope="col">reference</th><th scope="col">formula, x the figure, r the reference</th></tr></thead>
          <tbody>
            {axes.map((a) => (
              <tr>
                <th scope="row">{a.label}</th>
                <td class="words" data-label="figure"><code>{a.metric}</code> in {a.scenario}</td>
                <td data-label="reference">{exact(a.reference)} {a.unit} of {a.of}</td>
                <td data-label="formula">{formula(a.kind, a.better)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function formula(kind: 'middle' | 'tail', better: 'higher' | 'lower'): string {
  if (kind === 'tail') return '100 − 100/3 · log10(x/r)';
  return better === 'higher' ? '50 + 50 · log10(x/r)' : '50 − 50 · log10(x/r)';
}
