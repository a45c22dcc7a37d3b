// What a thing in the shop costs, in cents.
export function price(name: string): number {
  return name.length * 100;
}
