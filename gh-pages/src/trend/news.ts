// The spoken description of the chart after a choice other than a point.
import { useEffect, useRef, useState } from 'preact/hooks';
import { count as counted, many } from '../words/numbers.ts';
import type { Window } from './window.ts';

/**
 * said: the chart in a sentence, null while it is on its way; of: what it is a chart of.
 * It is said when that changed, and not at first: a page that opens is read anyway.
 */
export function useNews(
  of: string,
  said: string | null,
): [news: string, tell: (text: string) => void] {
  const known = useRef<string | null>(null);
  const [news, tell] = useState('');
  useEffect(() => {
    if (said === null || known.current === of) return;
    if (known.current !== null) tell(said);
    known.current = of;
  }, [of, said]);
  return [news, tell];
}

export const windowWords = ([from, to]: Window, count: number): string =>
  `${many(to - from + 1, 'commit')} in view, ${counted(from + 1)} to ${counted(to + 1)} of ${counted(count)}.`;
