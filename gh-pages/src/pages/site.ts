// Adds to every page the theme, sorting, and the age of the data. The page itself is HTML.
import '../frame/site.css';
import { sortable } from '../frame/sort.ts';

const STALE_DAYS = 8; // main is measured each week even when nothing is pushed

const themes = ['auto', 'light', 'dark'] as const;

/** Switches the theme: as the system, light, dark. */
function theme(button: HTMLButtonElement): void {
  const root = document.documentElement;
  const say = () => {
    const now = root.dataset.theme ?? 'auto';
    button.setAttribute('aria-label', `Theme: ${now === 'auto' ? 'as the system' : now}`);
  };
  say();
  button.addEventListener('click', () => {
    const now = themes.indexOf((root.dataset.theme ?? 'auto') as (typeof themes)[number]);
    const next = themes[(now + 1) % themes.length]!;
    if (next === 'auto') delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      localStorage.setItem('theme', next);
    } catch {
      // A browser that keeps nothing keeps it for this page.
    }
    say();
  });
}

/** Says that the newest data is old. The HTML does not know when it is read. */
function age(time: HTMLTimeElement): void {
  const days = Math.floor((Date.now() - Date.parse(time.dateTime)) / 86_400_000);
  if (days > STALE_DAYS) time.textContent = `The newest run is ${days} days old.`;
}

/** An old address has its workload in the query. Pages of today have it in the path. */
function workload(): void {
  const query = new URLSearchParams(location.search);
  const asked = query.get('w');
  if (asked === null) return;
  const link = [...document.querySelectorAll<HTMLAnchorElement>('.menu a')].find(
    (a) => a.textContent === asked,
  );
  if (!link || link.ariaCurrent === 'true') return;
  query.delete('w');
  const next = new URL(link.href);
  next.search = query.toString();
  next.hash = location.hash;
  location.replace(next);
}

/** Prints the address, so that a reader of the paper finds the page again. */
function address(line: HTMLElement): void {
  const write = () => (line.textContent = `The address of this page: ${location.href}`);
  write();
  addEventListener('beforeprint', write);
}

workload();
theme(document.querySelector('button.theme')!);
sortable();
address(document.getElementById('address')!);
const newest = document.querySelector<HTMLTimeElement>('#newest');
if (newest) age(newest);
