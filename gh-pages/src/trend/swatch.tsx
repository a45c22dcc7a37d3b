import { useDark } from '../frame/theme.ts';
import { look, outline } from '../chart/palette.ts';

/** A server's colour, dash and marker as in the chart. */
export function Swatch({ slot }: { slot: number }) {
  const l = look(slot, useDark());
  return (
    <svg class="inline swatch" width={38} height={16} viewBox="-19 -8 38 16" aria-hidden="true">
      <line x1={-18} x2={18} y1={0} y2={0} stroke={l.colour} stroke-width={2} stroke-dasharray={l.dash.join(' ')} />
      <path d={outline(l.marker, 4.5)} fill={l.colour} />
    </svg>
  );
}
