import { Table, type Col } from '../chart/table.tsx';
import { located, type Site } from '../data/fetch.ts';
import type { Proven } from '../data/types.ts';
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
      : () => site.read<Proven>((m) => located(m.proven, 'the error rates')),
    [],
  );
  return (
    <section aria-labelledby="proven">
      <h2 id="proven">How often verdicts are wrong</h2>
      <p>
        A verdict can be wrong in two ways: it can be a false alarm, or it can miss a change.{' '}
        <code>scripts/bench prove</code> measures both rates, with trials that compare a server with
        itself or with an injected regression. The rates hold for the machines of the trials. They
        are replayed: the rule of today judges rounds that may be older than it.
      </p>
      {site.manifest.proven === null ? (
        <p>
          <strong>Not measured yet</strong> on this machine. {notMeasured}
        </p>
      ) : (
        <When asked={proven} what="the error rates">
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
  ['ranks', 'Ranks and ties'],
  ['points', 'Points, epochs, bands'],
  ['events', 'Events and verdicts'],
  ['proven', 'How often verdicts are wrong'],
  ['limits', 'What the figures do not show'],
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
        What the figures are, what the marks mean, how changes are judged, and how often a verdict
        is wrong.
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
      <Measured workloads={site.manifest.workloads} tieRule={site.manifest.tie_rule} />
      <Judged />
      <ProvenTables site={site} />
      <Words />
      <Facts site={site} />
    </>
  );
}

void mount(Page);
