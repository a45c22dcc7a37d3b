import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { keeping } from '../data/workload.ts';
import { read, write, type Fields, type Read } from './url.ts';

/**
 * A page's state, kept in its address. A choice makes an entry of the browser's
 * history ('push'); what moves while a pointer does, does not ('replace').
 */
export function useQuery<S extends object>(
  fields: Fields<S>,
): [Read<S>, (change: Partial<S>, how?: 'push' | 'replace') => void] {
  const [query, setQuery] = useState(location.search);
  useEffect(() => {
    const back = () => setQuery(location.search);
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const now = useMemo(() => read(fields, query), [fields, query]);
  const set = useCallback(
    (change: Partial<S>, how: 'push' | 'replace' = 'push') => {
      const next = keeping(write(fields, { ...read(fields, location.search).state, ...change }));
      if (next === location.search) return;
      const url = location.pathname + next + location.hash;
      if (how === 'push') history.pushState(null, '', url);
      else history.replaceState(null, '', url);
      setQuery(location.search);
    },
    [fields],
  );
  return [now, set];
}

/** The notice for unknown or renamed values in an address. */
export function strange({ unknown, renamed }: Omit<Read<object>, 'state'>): string | undefined {
  const said = [
    unknown.length > 0 &&
      `Unknown in the address: ${unknown.map((u) => `${u.key}=${u.text.slice(0, 60)}`).join(', ')}. The page shows the default instead.`,
    renamed.length > 0 &&
      `Renamed since the address was made: ${renamed.map((r) => `${r.was} is ${r.now} now`).join(', ')}.`,
  ].filter(Boolean);
  return said.length ? said.join(' ') : undefined;
}
