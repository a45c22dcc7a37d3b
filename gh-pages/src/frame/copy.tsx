import { useState } from 'preact/hooks';

/** Copies a text and says so; otherwise: what to do where the browser does not let a page copy. */
export function Copy({
  children,
  text,
  otherwise,
}: {
  children: string;
  text: () => string;
  otherwise: string;
}) {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('copied');
    } catch {
      // the page shows the text instead
      say(otherwise);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status" class="soft">
        {said}
      </span>
    </>
  );
}
