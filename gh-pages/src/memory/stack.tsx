import { useWidth } from '../chart/lines.tsx';
import type { Looks } from '../chart/mark.tsx';
import { share } from '../words/numbers.ts';
import type { Held } from './memory.ts';

const LETTER = 6.6; // px, of a label's font

/** Every server's share of what all hold, as one bar; names stand under their part where they fit, and all are in the table. */
export function Stack({ rows, looks, label }: { rows: Held[]; looks: Looks; label: string }) {
  const [ref, width] = useWidth();
  const shown = rows.filter((r) => r.share !== null).sort((a, b) => b.share! - a.share!);
  let from = 0;
  return (
    <div class="lines" ref={ref}>
      {width > 0 && (
        <svg width={width} height={58} viewBox={`0 0 ${width} 58`} role="img" aria-label={label}>
          {shown.map((r) => {
            const x = from, w = width * r.share!;
            from += w;
            const percent = share(r.share!);
            const fits = Math.max(r.server.length, percent.length) * LETTER < w - 4;
            return (
              <g>
                <rect x={x} width={Math.max(1, w - 2)} y={2} height={24} fill={looks(r.server)?.colour ?? 'currentColor'} />
                {fits && <text class="name" x={x} y={40}>{r.server}</text>}
                {fits && <text x={x} y={54}>{percent}</text>}
                <title>{`${r.server}: ${percent}`}</title>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
