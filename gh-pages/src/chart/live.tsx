import { useEffect, useState } from 'preact/hooks';

/**
 * Speaks what was last said when nothing follows for a while: keys repeat faster than anyone
 * listens.
 */
export function Live({ text, after = 300 }: { text: string; after?: number }) {
  const [said, say] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => say(text), after);
    return () => clearTimeout(timer);
  }, [text, after]);
  return (
    <p class="hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}
