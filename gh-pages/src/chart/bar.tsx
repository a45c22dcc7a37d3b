// A thin bar with its interval, under a figure of a table. Decoration: the figure and
// the interval stand beside it as text.

export function Bar({
  value,
  low,
  high,
  domain,
  width = 84,
}: {
  value: number;
  low: number;
  high: number;
  domain: [number, number];
  width?: number;
}) {
  const at = (v: number) =>
    Math.round((10 * (width * (v - domain[0]))) / (domain[1] - domain[0] || 1)) / 10;
  return (
    <svg class="inline bar" width={width} height={7} viewBox={`0 0 ${width} 7`} aria-hidden="true">
      <rect
        x={Math.min(at(0), at(value))}
        width={Math.max(1, Math.abs(at(value) - at(0)))}
        y={2}
        height={3}
        fill="currentColor"
        opacity={0.35}
      />
      {high > low && (
        <path
          d={`M${at(low)} .5v6M${at(high)} .5v6M${at(low)} 3.5H${at(high)}`}
          stroke="currentColor"
          fill="none"
        />
      )}
    </svg>
  );
}
