/** Tables of `scripts/bench prove`: data/proven.HASH.json. */
export interface Proven {
  schema: number;
  tables: { title: string; head: string[]; rows: string[][]; note: string }[];
}
