import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { failureWords, unlike } from '../data/fetch.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/**
 * Draws its children, or an error in their place. A file can have another form than its schema
 * promises, and drawing relies on the schema. heading: the guard holds the whole page, and also
 * shows uncaught failures.
 */
export function Guard({
  what,
  heading,
  children,
}: {
  what: string;
  heading?: string;
  children: ComponentChildren;
}) {
  const [thrown] = useErrorBoundary(console.error);
  const [lost, lose] = useState<unknown>();
  useEffect(() => {
    if (heading === undefined) return;
    const late = (e: PromiseRejectionEvent) => {
      e.preventDefault();
      console.error(e.reason);
      lose(e.reason);
    };
    addEventListener('unhandledrejection', late);
    return () => removeEventListener('unhandledrejection', late);
  }, []);
  const why: unknown = thrown ?? lost;
  if (why === undefined) return <>{children}</>;
  return (
    <>
      {heading !== undefined && <h1>{heading}</h1>}
      <Notice role="alert">
        {failureWords(unlike(why, what))} <Button onPress={() => location.reload()}>Retry</Button>
      </Notice>
    </>
  );
}
