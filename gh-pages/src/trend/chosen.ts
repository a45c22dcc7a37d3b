// The commit that is chosen. Keys move it faster than the address follows.
import { placeOf } from '../data/commits.ts';
import type { History } from './model.ts';
import type { TrendState } from './state.ts';
import { useAhead } from './window.ts';

export interface Chosen {
  place: number | null; // null: none
  unknown: boolean; // the address asks for an unknown commit
  choose: (place: number) => void;
}

export function useChosen(
  { commits }: History,
  s: TrendState,
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void,
): Chosen {
  const asked = s.sel === '' ? -1 : placeOf(commits, s.sel);
  const [ahead, choose] = useAhead<number>(s.sel, (place) =>
    set({ sel: commits.sha[place] ?? '' }, 'replace'),
  );
  return {
    place: ahead ?? (asked >= 0 ? asked : null),
    unknown: s.sel !== '' && asked < 0 && ahead === null,
    choose,
  };
}
