// How a server looks: the hue of its language, which is a class of the style sheet, and a dash that tells it from
// others of that language.

export interface Look {
  hue: string;
  dash: string; // of SVG; '': solid
}

const dashes = ['', '8 4', '2 3', '10 3 2 3'];
const hues = ['rust', 'go', 'bun', 'node', 'python'];

/** The class of a language, as Hue in scripts/internal/show/svg. */
export const hueOf = (language: string): string =>
  language === 'c++' ? 'cpp' : hues.includes(language) ? language : 'other';

/** The looks of servers, in their order. */
export function looksOf(servers: readonly { name: string; language: string }[]): Map<string, Look> {
  const seen = new Map<string, number>();
  return new Map(
    servers.map(({ name, language }) => {
      const hue = hueOf(language);
      const n = seen.get(hue) ?? 0;
      seen.set(hue, n + 1);
      return [name, { hue, dash: dashes[n % dashes.length]! }];
    }),
  );
}
