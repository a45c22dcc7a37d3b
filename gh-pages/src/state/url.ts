// The choices on a page, in its address. One state has one address: defaults are left out and
// the keys have one order. Links must stay valid for ever, so a value is a name and never a
// place in a list.

export interface Renamed {
  was: string;
  now: string;
}

export interface Field<T> {
  key: string;
  initial: T;
  /** undefined: not a value of this field. */
  parse(text: string): T | undefined;
  /** '' is written like any other text. */
  write(value: T): string;
  /** What of a text that parses is not a value all the same. */
  rest?(text: string): string;
  /** Older names in a text, with today's. */
  older?(text: string): Renamed[];
}
export type Fields<S> = { [K in keyof S]: Field<S[K]> };

export interface Read<S> {
  state: S;
  unknown: { key: string; text: string }[]; // for a notice: the page shows the default instead
  renamed: Renamed[]; // for another
}

/**
 * Keys that are not the page's own are passed over: others put theirs into links, such as
 * utm_source.
 */
export function read<S extends object>(fields: Fields<S>, query: string): Read<S> {
  const asked = new URLSearchParams(query);
  const out: Read<S> = { state: {} as S, unknown: [], renamed: [] };
  for (const name of Object.keys(fields) as (keyof S)[]) {
    const field = fields[name];
    const text = asked.get(field.key);
    const value = text === null ? field.initial : field.parse(text);
    const strange = text === null ? '' : value === undefined ? text : (field.rest?.(text) ?? '');
    if (strange !== '' || value === undefined) out.unknown.push({ key: field.key, text: strange });
    for (const r of (text === null ? undefined : field.older?.(text)) ?? [])
      if (!out.renamed.some((x) => x.was === r.was)) out.renamed.push(r);
    out.state[name] = value === undefined ? field.initial : value;
  }
  return out;
}

/** Begins with ?, or is empty when all is at its default. */
export function write<S extends object>(fields: Fields<S>, state: S): string {
  const parts: string[] = [];
  for (const name of Object.keys(fields) as (keyof S)[]) {
    const field = fields[name];
    const text = field.write(state[name]);
    if (text !== field.write(field.initial)) parts.push(`${field.key}=${encoded(text)}`);
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

/** As little as a query needs: names and commas stay readable. */
const encoded = (text: string) =>
  encodeURIComponent(text)
    .replace(/%2C/g, ',')
    .replace(/%20/g, '+')
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':');

/** One of some names; renamed leads from an older name to today's. */
export const oneOf = <T extends string>(
  key: string,
  values: readonly T[],
  initial: T,
  renamed: ReadonlyMap<string, T> = new Map(),
): Field<T> => ({
  key,
  initial,
  parse: (text) => values.find((v) => v === text) ?? renamed.get(text),
  write: (v) => v,
  older: (text) => older([text], values, renamed),
});

/** Some of the names, in their order; '' means no name. */
export const someOf = <T extends string>(
  key: string,
  values: readonly T[],
  initial: readonly T[],
  renamed: ReadonlyMap<string, T> = new Map(),
): Field<readonly T[]> => ({
  key,
  initial,
  parse: (text) => {
    if (text === '') return [];
    const asked = new Set(text.split(',').map((t) => renamed.get(t) ?? t));
    const found = values.filter((v) => asked.has(v));
    return found.length ? found : undefined;
  },
  rest: (text) =>
    text
      .split(',')
      .filter((t) => t !== '' && !values.includes((renamed.get(t) ?? t) as T))
      .join(','),
  write: (chosen) => values.filter((v) => chosen.includes(v)).join(','),
  older: (text) => older(text.split(','), values, renamed),
});

const older = (
  asked: string[],
  values: readonly string[],
  renamed: ReadonlyMap<string, string>,
): Renamed[] =>
  asked.flatMap((was) =>
    renamed.has(was) && !values.includes(was) ? [{ was, now: renamed.get(was)! }] : [],
  );

/** A column's key, with - in front for descending; '' is the order of rows. */
export const sortOf = (columns: readonly string[]): Field<string> =>
  oneOf('sort', ['', ...columns, ...columns.map((c) => `-${c}`)], '');

/** Any text of a form; '' means no text. */
export const matching = (key: string, form: RegExp): Field<string> => ({
  key,
  initial: '',
  parse: (text) => (form.test(text) ? text : undefined),
  write: (v) => v,
});

/** At least ten digits of a commit, cut to ten; '' means no commit. */
export const sha = (key: string): Field<string> => ({
  key,
  initial: '',
  parse: (text) => (/^[0-9a-f]{10,40}$/.test(text) ? text.slice(0, 10) : undefined),
  write: (v) => v,
});

export const event = (key: string, initial: boolean): Field<boolean> => ({
  key,
  initial,
  parse: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  write: (v) => (v ? '1' : '0'),
});

/** From older names of servers to today's. */
export const renames = (
  servers: readonly { name: string; was: readonly string[] }[],
): Map<string, string> =>
  new Map(servers.flatMap((s) => s.was.map((old): [string, string] => [old, s.name])));
