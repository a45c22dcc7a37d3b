import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
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
      const next = write(fields, { ...read(fields, location.search).state, ...change });
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

/** The notice for unknown values in an address. */
export function strange({ unknown }: Omit<Read<object>, 'state'>): string | undefined {
  if (unknown.length === 0) return undefined;
  const names = unknown.map((u) => `${u.key}=${u.text.slice(0, 60)}`).join(', ');
  return `Unknown in the address: ${names}. The page shows the default instead.`;
}
