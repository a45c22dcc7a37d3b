// The limits of the figures, and the words of the project.
import { glossary, partsOf, type Part } from './glossary.ts';

const limits = [
  'Which of two runs was faster. The figures of one run share their minutes; those of two runs do ' +
    'not. Compare ratios to direct, or read comparisons.',
  'The capacity of a server. k6, the stub and the server share the machine, so req/s under stress ' +
    "are those of all three. The server's share shows its part of the CPU time.",
  'Throughput as a second result beside latency. The load is a closed loop, so req/s times mean ' +
    'latency is the number of VUs.',
  'Throughput under paced load. The pace sets it.',
  'The same ranks on another machine, with other versions, or with other requests and answers.',
  'Anything from a shortened run (-quick). It shows that everything works, and has no point in a ' +
    'trend.',
];

function Word({ kind, text }: Part) {
  if (kind === 'code') return <code>{text}</code>;
  return kind === 'strong' ? <strong>{text}</strong> : <>{text}</>;
}

export function Words() {
  return (
    <>
      <h2 id="limits">What the figures do not show</h2>
      <ul>
        {limits.map((l) => (
          <li>{l}</li>
        ))}
      </ul>
      <h2 id="words">Words</h2>
      <dl class="words-list">
        {glossary.map(({ word, means }) => (
          <div>
            <dt>{word}</dt>
            <dd>
              {partsOf(means).map((part) => (
                <Word {...part} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
