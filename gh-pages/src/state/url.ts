// The choices on a page, in its address. One state has one address: defaults are left out and
// the keys have one order. Links must stay valid for ever, so a value is a name and never a
// place in a list.

export interface Field<T> {
  key: string;
  initial: T;
  /** undefined: not a value of this field. */
  parse(text: string): T | undefined;
}
export type Fields<S> = { [K in keyof S]: Field<S[K]> };

export interface Read<S> {
  state: S;
  unknown: { key: string; text: string }[]; // for a notice: the page shows the default instead
}

/**
 * Keys that are not the page's own are passed over: others put theirs into links, such as
 * utm_source.
 */
export function read<S extends object>(fields: Fields<S>, query: string): Read<S> {
  const asked = new URLSearchParams(query);
  const out: Read<S> = { state: {} as S, unknown: [] };
  for (const name of Object.keys(fields) as (keyof S)[]) {
    const field = fields[name];
    const text = asked.get(field.key);
    const value = text === null ? field.initial : field.parse(text);
    if (value === undefined) out.unknown.push({ key: field.key, text: text! });
    out.state[name] = value ?? field.initial;
  }
  return out;
}

/** Begins with ?, or is empty when all is at its default. */
export function write<S extends object>(fields: Fields<S>, state: S): string {
  const parts: string[] = [];
  for (const name of Object.keys(fields) as (keyof S)[]) {
    const { key, initial } = fields[name];
    if (state[name] !== initial) parts.push(`${key}=${encoded(String(state[name]))}`);
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

/** As little as a query needs: names and commas stay readable. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/%2C/g, ',').replace(/%20/g, '+').replace(/%2F/g, '/');

/** One of some names. */
export const oneOf = <T extends string>(
  key: string,
  values: readonly T[],
  initial: T,
): Field<T> => ({ key, initial, parse: (text) => values.find((v) => v === text) });

/** Any text of a form; '' means no text. */
export const matching = (key: string, form: RegExp): Field<string> => ({
  key,
  initial: '',
  parse: (text) => (form.test(text) ? text : undefined),
});
