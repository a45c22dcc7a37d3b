// A file on its way: loading, there, or failed with a button to try again.
import { Button } from '../frame/button.tsx';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { failureWords, unlike, type Answer } from '../data/fetch.ts';
import { Guard } from '../frame/guard.tsx';
import { Notice } from '../frame/notice.tsx';

export interface Asked<T> {
  answer: Answer<T> | undefined;
  retry: () => void;
}

/**
 * Asks anew when a dependency changes; an answer to an older question is dropped. null asks
 * nothing.
 */
export function useAnswer<T>(ask: (() => Promise<Answer<T>>) | null, deps: unknown[]): Asked<T> {
  const [answer, set] = useState<Answer<T> | undefined>();
  const [tries, again] = useState(0);
  useLayoutEffect(() => {
    // no frame shows an older answer under a new question
    let current = true;
    set(undefined);
    void ask?.()
      .catch((error: unknown) => unlike(error, 'a file of this page'))
      .then((a) => {
        if (current) set(a);
      });
    return () => {
      current = false;
    };
  }, [...deps, tries]);
  return { answer, retry: () => again((n) => n + 1) };
}

/** Says that something is loading, unless it arrives at once. */
function Loading({ what, tall = false }: { what: string; tall?: boolean }) {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class={tall ? 'loading tall' : 'loading'} role="status">
      {late ? `Loading ${what}.` : '\u00a0'}
    </p>
  );
}

/** Draws what a file gives, or says where it is. */
export function When<T>({
  asked,
  what,
  tall,
  children,
}: {
  asked: Asked<T>;
  what: string;
  tall?: boolean;
  children: (value: T) => ComponentChildren;
}): JSX.Element {
  if (!asked.answer) return <Loading what={what} tall={tall ?? false} />;
  if (!asked.answer.ok)
    return (
      <Notice role="alert">
        {failureWords(asked.answer)} <Button onPress={asked.retry}>Retry</Button>
      </Notice>
    );
  const { value } = asked.answer;
  return (
    <Guard what={what}>
      <Drawn by={() => children(value)} />
    </Guard>
  );
}

/** Of its own, so that what throws is under the guard. */
const Drawn = ({ by }: { by: () => ComponentChildren }) => <>{by()}</>;
