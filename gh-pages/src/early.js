// Before anything is drawn, so that no page flashes in the other theme; and the file
// that all else waits for is asked for while the page's script is still on its way.
// It is no module and keeps its name: what is a module runs after the page is parsed.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows what the system wants.
}
const root = document.querySelector('meta[name=root]').content;
globalThis.manifest = fetch(`${root}data/manifest.json`, { cache: 'no-cache' });
globalThis.manifest.catch(() => {}); // whoever reads it says what failed
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
