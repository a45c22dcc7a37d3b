// Runs before anything is drawn, so that no page flashes in the other theme. It also asks for the
// first file while the page's script is still loading. It is a plain script with a fixed name,
// since modules run after the page is parsed.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows what the system wants.
}
const root = document.querySelector('meta[name=root]').content;
globalThis.manifest = fetch(`${root}data/manifest.json`, { cache: 'no-cache' });
globalThis.manifest.catch(() => {}); // the reader of the file reports the failure
// And what the page shows when nothing is chosen, as publish named it.
const early = document.querySelector('meta[name=early]');
for (const path of early && location.search === '' ? early.content.split(' ') : []) {
  document.head.append(
    Object.assign(document.createElement('link'), {
      rel: 'preload',
      as: 'fetch',
      crossOrigin: 'anonymous',
      href: root + path,
    }),
  );
}
