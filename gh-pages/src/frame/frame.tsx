import { render, type ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { root, Site, failureWords, unlike, type Failure } from '../data/fetch.ts';
import type { Manifest } from '../data/form.ts';
import { ownAlone } from '../data/runs.ts';
import { allComparisons, asked, keeping, KEY } from '../data/workload.ts';
import { age, day, many, moment } from '../words/numbers.ts';
import { web } from '../words/text.ts';
import { Guard } from './guard.tsx';
import { Notice } from './notice.tsx';
import { themed } from './theme.ts';

const STALE_DAYS = 8; // main is measured each week even when nothing is pushed

/** Which history the page shows, and which of its files cannot be read. */
function State({ site }: { site: Site }) {
  const { newest, broken, repository } = site.manifest;
  const name = web(repository)?.split('/').slice(-2).join('/');
  return (
    <>
      <p class="asof">
        {newest === null ? (
          'No run has been published yet.'
        ) : (
          <>
            Data{name && ` of ${name}`} as of{' '}
            <time dateTime={newest}>{moment(Date.parse(newest) / 1000)}</time>
            {counted(site.manifest)}
          </>
        )}
      </p>
      <Unknown site={site} />
      {newest !== null && !ownAlone(site.manifest) && <Stale newest={newest} />}
      {broken.length > 0 && (
        <details class="notice">
          <summary>
            {many(broken.length, 'file')} cannot be read and {broken.length === 1 ? 'is' : 'are'}{' '}
            left out
          </summary>
          <ul>
            {broken.map((b) => (
              <li>
                <code>{b.file}</code>: {b.why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** The address asks for a workload that the data does not have. */
function Unknown({ site }: { site: Site }) {
  const { workload, workloads } = site.manifest;
  const name = asked(location.search);
  if (name === '' || workloads.some((w) => w.name === name)) return null;
  return (
    <Notice role="status">
      Unknown in the address: {KEY}={name.slice(0, 60)}. The page shows {workload} instead.
    </Notice>
  );
}

/** How many commits, and runs and comparisons of one's own, there are. */
function counted(m: Manifest): string {
  const { commits, own } = m;
  const comparisons = allComparisons(m);
  const measured = commits.count - own.length;
  return [
    measured && many(measured, 'measured commit'),
    own.length && `${many(own.length, 'run')} of your own`,
    comparisons.length && `${many(comparisons.length, 'comparison')} of your own`,
  ]
    .filter(Boolean)
    .map((text) => `, ${text}`)
    .join('');
}

function Stale({ newest }: { newest: string }) {
  const seconds = (Date.now() - Date.parse(newest)) / 1000;
  if (!(seconds > STALE_DAYS * 86400)) return null;
  return (
    <Notice>
      The newest run is {age(seconds)} old ({day(Date.parse(newest) / 1000)}): newer commits of main
      are not measured.
    </Notice>
  );
}

function Footer({ site }: { site: Site }) {
  const { repository, history } = site.manifest;
  const base = web(repository);
  const commit = history?.slice(0, 10);
  return (
    <footer class="bottom">
      <p>
        {commit && (
          <>
            Made from{' '}
            {base ? (
              <a href={`${base}/tree/${history}`}>history {commit}</a>
            ) : (
              <>history {commit}</>
            )}
            .{' '}
          </>
        )}
        Data: <a href={`${root()}data/manifest.json`}>manifest</a>.
        {base && (
          <>
            {' '}
            Code: <a href={base}>{base.replace('https://', '')}</a>.
          </>
        )}
      </p>
      <Address />
    </footer>
  );
}

/** Prints the address of the view, so that a reader of the paper can find it again. */
function Address() {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const write = () => {
      if (line.current) line.current.textContent = `The address of this view: ${location.href}`;
    };
    const printer = matchMedia('print');
    write();
    addEventListener('beforeprint', write);
    printer.addEventListener('change', write);
    return () => {
      removeEventListener('beforeprint', write);
      printer.removeEventListener('change', write);
    };
  }, []);
  return <p class="print-only" ref={line} />;
}

/** Says that something is loading, unless it arrives at once. */
export function Loading({ what, tall = false }: { what: string; tall?: boolean }) {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class={tall ? 'loading tall' : 'loading'} role="status">
      {late ? `Loading ${what}.` : '\u00a0'}
    </p>
  );
}

/**
 * Lets a reader choose the workload, if there are several. The page begins anew: nothing that is
 * chosen of one workload means anything in another.
 */
function choosing({ workload, workloads }: Manifest, label: HTMLLabelElement): void {
  const select = label.querySelector('select')!;
  select.replaceChildren(...workloads.map((w) => new Option(w.name, w.name)));
  select.value = workload;
  label.hidden = workloads.length < 2;
  select.addEventListener('change', () => {
    const name = select.value === workloads[0]?.name ? '' : select.value;
    location.assign(location.pathname + keeping('', name));
  });
  for (const a of document.querySelectorAll<HTMLAnchorElement>('.top a[href]'))
    a.setAttribute('href', keeping(a.getAttribute('href')!));
}

/** Draws a page when the manifest is there; its head is in the HTML (vite.config.ts). */
export async function mount(Page: ComponentType<{ site: Site }>): Promise<void> {
  const at = (id: string) => document.getElementById(id)!;
  const page = at('page');
  themed(document.querySelector('.theme select')!);
  const unread = (why: Failure) => {
    render(
      <section aria-label="What is missing">
        <Notice role="alert">
          {failureWords(why)}{' '}
          <button type="button" onClick={() => location.reload()}>
            Retry
          </button>
        </Notice>
      </section>,
      at('state'),
    );
    page.dataset.state = 'unread';
  };
  const workload = asked(location.search);
  const opened = await Site.open(
    root(),
    (globalThis as { manifest?: Promise<Response> }).manifest,
    workload,
  );
  if (!opened.ok) return unread(opened);
  const site = opened.value;
  choosing(site.manifest, document.querySelector('.workload')!);
  try {
    render(<State site={site} />, at('state'));
    render(<Footer site={site} />, at('foot'));
  } catch (error) {
    return unread(unlike(error, 'data/manifest.json'));
  }
  page.replaceChildren();
  render(
    <Guard what="a file of this page" heading={document.title.replace(/ · .*/, '')}>
      <Page site={site} />
    </Guard>,
    page,
  );
  page.dataset.state = 'ready';
}
