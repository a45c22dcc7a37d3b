import { Table, type Col } from '../chart/table.tsx';
import { located, type Site } from '../data/fetch.ts';
import type { Proven } from '../data/proven.ts';
import { toAnchor } from '../frame/anchor.ts';
import { mount } from '../frame/frame.tsx';
import { Facts } from '../method/facts.tsx';
import { Judged, notMeasured } from '../method/judged.tsx';
import { Measured } from '../method/measured.tsx';
import { Words } from '../method/words.tsx';
import { useEffect } from 'preact/hooks';
import { useAnswer, When } from '../state/answer.tsx';

function ProvenTables({ site }: { site: Site }) {
  const proven = useAnswer(
    site.manifest.proven === null
      ? null
      : () => site.read<Proven>((m) => located(m.proven, 'the proven error rates')),
    [],
  );
  return (
    <section aria-labelledby="proven">
      <h2 id="proven">How often verdicts are wrong</h2>
      <p>
        A verdict can be wrong in two ways: it can call changed what did not change, and miss what
        did. Both rates are measured, with injected regressions and with a server against itself, by{' '}
        <code>scripts/bench prove</code>. They hold for the machines of the trials.
      </p>
      {site.manifest.proven === null ? (
        <p>
          <strong>Not measured yet</strong> on the machine that benchmarks. {notMeasured}
        </p>
      ) : (
        <When asked={proven} what="the proven error rates">
          {(p) =>
            p.tables.map((t) => (
              <figure>
                <Table
                  caption={t.title}
                  cols={t.head.map((head, i): Col<string[]> => ({
                    key: String(i),
                    label: head,
                    head,
                    header: i === 0,
                    cell: (row) => row[i],
                  }))}
                  rows={t.rows}
                  id={(row) => row.join()}
                />
                <figcaption>{t.note}</figcaption>
              </figure>
            ))
          }
        </When>
      )}
    </section>
  );
}

const contents: [id: string, title: string][] = [
  ['measured', 'How it is measured'],
  ['figures', 'What a figure is'],
  ['ranks', 'Leaderboards and ties'],
  ['points', 'Points, epochs, bands'],
  ['events', 'Events and verdicts'],
  ['proven', 'How often verdicts are wrong'],
  ['limits', 'What may not be concluded'],
  ['words', 'Words'],
  ['metrics', 'All metrics'],
  ['data', 'Data and citing'],
];

function Page({ site }: { site: Site }) {
  useEffect(toAnchor, []);
  return (
    <>
      <h1>Method</h1>
      <p class="answer">
        What the figures are, what the marks mean, how it is judged that something changed, and how
        often that is wrong.
      </p>
      <nav aria-label="On this page">
        <ul class="contents">
          {contents.map(([id, title]) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Measured />
      <Judged />
      <ProvenTables site={site} />
      <Words />
      <Facts site={site} />
    </>
  );
}

void mount(Page);
