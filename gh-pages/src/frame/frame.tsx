import { render, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { root, Site, told } from '../data/fetch.ts';
import type { Manifest } from '../data/form.ts';
import { ownAlone } from '../data/runs.ts';
import { age, day, many, moment } from '../words/numbers.ts';
import { web } from '../words/text.ts';
import { href, navigation } from './pages.ts';
import { choices, choose, chosen } from './theme.ts';

const STALE_HOURS = 48; // main gets runs daily: two days without are worth a word

export function Notice({ children, role }: { children: ComponentChildren; role?: 'alert' | 'status' }) {
  return <div class="notice" {...(role ? { role } : {})}>{children}</div>;
}

function Header({ page, site }: { page: string; site?: Site | undefined }) {
  const [theme, set] = useState(chosen);
  const newest = site?.manifest.newest ?? null;
  return (
    <>
      <a class="skip" href="#page">Skip to the content</a>
      <header>
        <div class="top">
          <a class="brand" href={href(root(), 'health')}>Fairstream</a>
          <nav aria-label="Pages">
            <ul>
              {navigation.map(([name, title]) => (
                <li><a href={href(root(), name)} {...(name === page ? { 'aria-current': 'page' as const } : {})}>{title}</a></li>
              ))}
            </ul>
          </nav>
          <label class="theme">
            Theme{' '}
            <select value={theme} onChange={(e) => { choose(e.currentTarget.value as typeof theme); set(chosen()); }}>
              {choices.map((c) => <option value={c}>{c}</option>)}
            </select>
          </label>
        </div>
        <p class="asof">{!site ? '\u00a0' : newest === null ? 'No run has been published yet.' : <>Data as of <time dateTime={newest}>{moment(Date.parse(newest) / 1000)}</time>{counted(site.manifest)}</>}</p>
        {newest !== null && site && !ownAlone(site.manifest) && <Stale newest={newest} />}
        {site && site.manifest.broken.length > 0 && (
          <details class="notice">
            <summary>{many(site.manifest.broken.length, 'file')} of the history cannot be read and {site.manifest.broken.length === 1 ? 'is' : 'are'} left out</summary>
            <ul>{site.manifest.broken.map((b) => <li><code>{b.file}</code>: {b.why}</li>)}</ul>
          </details>
        )}
      </header>
    </>
  );
}

/** What the rows are: commits, and runs of one's own beside them. */
function counted({ commits, own }: Manifest): string {
  const measured = commits.count - own.length;
  return `${measured ? `, ${many(measured, 'measured commit')}` : ''}${own.length ? `, ${many(own.length, 'run')} of your own` : ''}`;
}

function Stale({ newest }: { newest: string }) {
  const seconds = (Date.now() - Date.parse(newest)) / 1000;
  if (!(seconds > STALE_HOURS * 3600)) return null;
  return <Notice>The newest run is {age(seconds)} old ({day(Date.parse(newest) / 1000)}): what main did since is not measured.</Notice>;
}

function Footer({ site }: { site: Site }) {
  const { repository, history } = site.manifest;
  const base = web(repository);
  const commit = history?.slice(0, 10);
  return (
    <footer class="bottom">
      <p>
        {commit && <>Made from {base ? <a href={`${base}/tree/${history}`}>history {commit}</a> : <>history {commit}</>}. </>}
        Data: <a href={`${root()}export/newest.json`}>newest run as JSON</a>, <a href={`${root()}data/manifest.json`}>manifest</a>, <a href={`${root()}regressions.xml`}>regressions as Atom</a>.
        {base && <> Code: <a href={base}>{base.replace('https://', '')}</a>.</>}
      </p>
      <Address />
    </footer>
  );
}

/** On paper a view is found again by its address, as it is when it is printed. */
function Address() {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const write = () => { if (line.current) line.current.textContent = `The address of this view: ${location.href}`; };
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

/** Says that something is on its way, but not for what is there at once. */
export function Loading({ what, tall = false }: { what: string; tall?: boolean }) {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return <p class={tall ? 'loading tall' : 'loading'} role="status">{late ? `Loading ${what}.` : '\u00a0'}</p>;
}

/** Draws a page: the frame at once, the page when the manifest is there. */
export async function mount(name: string, Page: ComponentType<{ site: Site }>): Promise<void> {
  const at = (id: string) => document.getElementById(id)!;
  render(<Header page={name} />, at('frame'));
  const opened = await Site.open(root(), (globalThis as { manifest?: Promise<Response> }).manifest);
  if (!opened.ok) {
    // What publish wrote into some pages stays: it is the newest there is.
    const left = at('page').querySelector('table, section') ? ' What follows is what the page was published with.' : '';
    render(<><Header page={name} /><section aria-label="What is missing"><Notice role="alert">{told(opened)}{left} <button type="button" onClick={() => location.reload()}>Retry</button></Notice></section></>, at('frame'));
    at('page').dataset.state = 'unread';
    return;
  }
  const site = opened.value;
  render(<Header page={name} site={site} />, at('frame'));
  const page = at('page');
  page.replaceChildren();
  render(<Page site={site} />, page);
  page.dataset.state = 'ready';
  render(<Footer site={site} />, at('foot'));
}
