// The commit that is chosen. Keys move it faster than the address follows.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TrendState } from './state.ts';
import { commitAt, type Store } from './store.ts';
import { usePlace, WRITE_AFTER_MS } from './window.ts';

export interface Chosen {
  place: number | null; // null: none, or not yet known
  unknown: boolean; // the address asks for a commit that nobody knows
  choose: (place: number) => void;
}

/** tick: grows with each file that has come. */
export function useChosen(
  store: Store,
  tick: number,
  s: TrendState,
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void,
): Chosen {
  const asked = usePlace(store, s.sel);
  // ahead of the address while keys are pressed
  const [own, choose] = useState<number | null>(null);
  const written = useRef(s.sel);

  // The address follows when the commit's hash is known and keys rest.
  useEffect(() => {
    if (own === null) return;
    const timer = setTimeout(() => {
      const sha = commitAt(store, own)?.sha;
      if (!sha) return;
      written.current = sha;
      set({ sel: sha }, 'replace');
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [own, tick]);
  // It leads again when it says the same, or when somebody else changed it.
  useEffect(() => {
    if (s.sel !== written.current) choose(null);
    else choose((now) => (now === asked ? null : now));
  }, [s.sel, asked]);

  return {
    place: own ?? (typeof asked === 'number' && asked >= 0 ? asked : null),
    unknown: s.sel !== '' && asked === -1 && own === null,
    choose,
  };
}
