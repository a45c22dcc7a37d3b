// A wrong address may have any depth, and the site any path. The site begins at the nearest
// parent directory with its manifest.
const begin = async () => {
  const depth = location.pathname.split('/').length - 1;
  for (let up = 0; up < depth; up++) {
    const root = new URL(up === 0 ? './' : '../'.repeat(up), location.href);
    const asked = fetch(new URL('data/manifest.json', root), { method: 'HEAD' });
    // Only a directory of this site answers these requests.
    const answer = await asked.catch(() => ({ ok: false }));
    if (answer.ok) return root;
  }
};
begin().then((root) => {
  if (!root) return;
  const link = Object.assign(document.createElement('a'), {
    href: root.href,
    textContent: 'Results',
  });
  document
    .getElementById('way')
    .replaceChildren(
      'There is nothing at this address. What is newest is on ',
      link,
      ', which leads to all else.',
    );
});
