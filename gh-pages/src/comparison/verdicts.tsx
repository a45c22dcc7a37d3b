// The verdicts of a comparison: the headline, the cells as a picture and a table, the rounds.
import { Table, type Col } from '../chart/table.tsx';
import type { Looks } from '../chart/mark.tsx';
import type { CellResult, Comparison, RequestRow, ServerVerdict } from '../data/types.ts';
import { Notice } from '../frame/notice.tsx';
import { many } from '../words/numbers.ts';
import { shortComparison } from '../words/short.ts';
import { directionOf, markOf, short, signs } from '../words/verdict.ts';
import './comparison.css';
import { Effects } from './effects.tsx';
import { Headline } from './headline.tsx';
import { Rounds } from './rounds.tsx';

const text = (key: 'base' | 'head' | 'change' | 'interval', label: string): Col<CellResult> => ({
  key,
  label,
  head: label,
  cell: (c) => c[key] || '–',
});

const columns: Col<CellResult>[] = [
  {
    key: 'cell',
    label: 'cell',
    head: 'cell',
    header: true,
    cell: (c) => `${c.scenario} ${c.metric}`,
  },
  text('base', 'base'),
  text('head', 'head'),
  text('change', 'change'),
  text('interval', '95 % interval'),
  {
    key: 'decides',
    label: 'decides on',
    head: 'decides on',
    words: true,
    cell: (c) => c.decides || '–',
  },
  {
    key: 'result',
    label: 'result',
    head: 'result',
    words: true,
    cell: (c) => {
      const { direction, sign } = markOf(c);
      return (
        <span class={direction}>
          {sign} {c.result}
        </span>
      );
    },
  },
];

const requestText = (key: keyof RequestRow, label: string): Col<RequestRow> => ({
  key,
  label,
  head: label,
  cell: (r) => r[key] || '–',
});

const requestColumns: Col<RequestRow>[] = [
  { ...requestText('name', 'request'), header: true },
  requestText('share', 'of the time'),
  requestText('metric', 'metric'),
  requestText('base', 'base'),
  requestText('head', 'head'),
  requestText('change', 'change'),
  requestText('interval', '95 % interval'),
  { ...requestText('result', 'result'), words: true },
];

const side = (name: string, commit: string | null) =>
  commit === null ? (
    name
  ) : (
    <>
      {name} <code>{short(commit)}</code>
    </>
  );

function One({ of, looks }: { of: ServerVerdict; looks: Looks }) {
  const direction = directionOf(of.verdict);
  return (
    <section aria-labelledby={`verdict-${of.server}`} class="verdict">
      <h2 id={`verdict-${of.server}`}>{of.server}</h2>
      <p class="answer">
        <strong class={direction}>{signs[direction]}</strong> <Headline text={of.headline} />.
      </p>
      <p class="soft">
        {side('Head', of.head)} against {side('base', of.base)}.{of.load && ` ${of.load}`}
        {of.cells.length > 0 &&
          ` Base and head are means of ${many(of.rounds.length, 'round')}; ` +
            `false-alarm rate ${of.alpha_pct} % per server.`}
      </p>
      <Effects cells={of.cells} />
      {of.cells.length > 0 && (
        <Table
          caption={`Cells of ${of.server}`}
          cols={columns}
          rows={of.cells}
          id={(c) => `${c.scenario} ${c.name}`}
        />
      )}
      {of.requests.length > 0 && (
        <Table
          caption={`Requests of ${of.server}`}
          cols={requestColumns}
          rows={of.requests}
          id={(r) => r.name}
        />
      )}
      {of.more_requests > 0 && (
        <p class="soft">{many(of.more_requests, 'more request')} took less of the time.</p>
      )}
      {of.discarded.length > 0 && (
        <>
          <h3>Discarded rounds</h3>
          <p class="soft">
            No chart and no mean includes them. Others took their place where there was time.
          </p>
          <ul>
            {of.discarded.map((why) => (
              <li>{why}</li>
            ))}
          </ul>
        </>
      )}
      <Rounds of={of} looks={looks} />
    </section>
  );
}

export function Verdicts({ comparison, looks }: { comparison: Comparison; looks: Looks }) {
  return (
    <>
      {comparison.quick && <Notice>{shortComparison}</Notice>}
      {comparison.verdicts.map((v) => (
        <One key={v.server} of={v} looks={looks} />
      ))}
    </>
  );
}
