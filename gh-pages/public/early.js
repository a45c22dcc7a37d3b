// Before anything is drawn, so that no page flashes in the other theme; and the file
// that all else waits for is asked for while the page's script is still on its way.
// It is no module and keeps its name: what is a module runs after the page is parsed.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows what the system wants.
}
globalThis.manifest = fetch(`${document.querySelector('meta[name=root]').content}data/manifest.json`, { cache: 'no-cache' });
globalThis.manifest.catch(() => {}); // whoever reads it says what failed
