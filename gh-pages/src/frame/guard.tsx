import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { failureWords, unlike } from '../data/fetch.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/**
 * Draws its children, or an error in their place. A file can have another form than its schema
 * promises, and drawing relies on the schema.
 */
export function Guard({ what, children }: { what: string; children: ComponentChildren }) {
  const [thrown] = useErrorBoundary(console.error) as [unknown, () => void];
  if (thrown === undefined) return <>{children}</>;
  return (
    <Notice role="alert">
      {failureWords(unlike(thrown, what))} <Button onPress={() => location.reload()}>Retry</Button>
    </Notice>
  );
}
