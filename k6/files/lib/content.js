// text returns the content of a file of the stub, as Text in stub/files/content/content.go does.
// seed is a whole number from 1.
export function text(size, seed) {
  const parts = [];
  for (let x = Math.imul(seed, 0x9e3779b1), n = 0; n < size; n += 64) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    parts.push((x >>> 0).toString(16).padStart(8, "0").repeat(8));
  }
  return parts.join("").slice(0, size);
}
