// A bar with its interval. It is decoration: the figure and the interval stand beside it as text.

export function Bar({
  value,
  low,
  high,
  domain,
  width = 84,
  height = 7,
}: {
  value: number;
  low: number;
  high: number;
  domain: [number, number];
  width?: number;
  height?: number;
}) {
  const at = (v: number) =>
    Math.round((10 * (width * (v - domain[0]))) / (domain[1] - domain[0] || 1)) / 10;
  return (
    <svg
      class="inline bar"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect
        x={Math.min(at(0), at(value))}
        width={Math.max(1, Math.abs(at(value) - at(0)))}
        y={2}
        height={height - 4}
        fill="currentColor"
        opacity={0.35}
      />
      {high > low && (
        <path
          d={`M${at(low)} .5v${height - 1}M${at(high)} .5v${height - 1}M${at(low)} ${height / 2}H${at(high)}`}
          stroke="currentColor"
          fill="none"
        />
      )}
    </svg>
  );
}
