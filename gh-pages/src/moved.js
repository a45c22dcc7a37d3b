// Leads from an old address to the page that has its content now, and keeps the query.
const query = new URLSearchParams(location.search);
const root = new URL('../', location.href);
let to = document.getElementById('to').getAttribute('href').slice('../'.length);
const own = (key, form) => {
  const value = query.get(key);
  query.delete(key);
  return form.test(value ?? '') ? value : '';
};
const workload = own('w', /^[a-z]+$/);
const old = location.pathname.split('/').at(-2);
if (old === 'leaderboard') {
  const run = own('run', /^[\w/.-]+$/);
  for (const key of ['view', 'sc', 'sort']) query.delete(key);
  if (run) {
    to = 'run/';
    query.set('id', run);
    query.set('of', 'leaderboard');
  }
}
if (old === 'tworuns') {
  const newer = own('b', /^[0-9a-f]{10,40}$/);
  query.delete('a');
  if (newer) query.set('id', newer);
}
const event = old === 'regressions' ? own('id', /^[0-9a-f]{12}$/) : '';
// The pages of the first workload have no folder of their own.
const dirs = document.documentElement.dataset.workloads.split(' ');
const next = new URL((dirs.includes(workload) ? `${workload}/` : '') + to, root);
next.search = query.toString();
next.hash = event ? `e-${event}` : location.hash;
location.replace(next);
