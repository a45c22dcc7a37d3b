// A price of a thing in the shop, in cents. It takes the CPU half a millisecond.
export function price(name: string): number {
  const until = performance.now() + 0.5;
  while (performance.now() < until);
  return name.length * 100;
}
