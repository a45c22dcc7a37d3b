// Before anything is drawn, so that no page flashes in the other theme. It is no
// module and keeps its name: what is a module runs after the page is parsed.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows what the system wants.
}
