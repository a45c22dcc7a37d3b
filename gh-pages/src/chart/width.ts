import { useEffect, useRef, useState } from 'preact/hooks';

/** The width that an element has, so that text keeps its size on a phone. */
export function useWidth(): [(e: Element | null) => void, number] {
  const [width, set] = useState(0);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  const ref = useRef((e: Element | null) => {
    observer.current?.disconnect();
    if (!e) return;
    observer.current = new ResizeObserver(() => set(Math.floor(e.clientWidth)));
    observer.current.observe(e);
    set(Math.floor(e.clientWidth));
  });
  return [ref.current, width];
}
