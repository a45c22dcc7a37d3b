// The files of the history that a page has asked for. Asking for one that is not
// there yet starts its way and tells when it has come.
import { useMemo, useState } from 'preact/hooks';
import { located, type Answer, type Locate, type Site } from '../data/fetch.ts';
import type { Commits, Flags, Overview, Shard } from '../data/form.ts';

export class Store {
  private readonly come = new Map<string, Answer<object>>();
  private readonly asked = new Map<string, Promise<Answer<object>>>();

  constructor(
    readonly site: Site,
    private readonly changed: () => void,
  ) {}

  /** undefined: on its way. */
  private get<T extends object>(key: string, locate: Locate): Answer<T> | undefined {
    void this.wait<T>(key, locate);
    return this.come.get(key) as Answer<T> | undefined;
  }

  private wait<T extends object>(key: string, locate: Locate): Promise<Answer<T>> {
    let asked = this.asked.get(key) as Promise<Answer<T>> | undefined;
    if (!asked) {
      asked = this.site.read<T>(locate);
      this.asked.set(key, asked);
      void asked.then((answer) => {
        this.come.set(key, answer);
        this.changed();
      });
    }
    return asked;
  }

  overview(series: string) {
    return this.get<Overview>(`o ${series}`, (m) => located(m.series[series], `series ${series}`));
  }

  shard(series: string, block: number) {
    return this.get<Shard>(`s ${series} ${block}`, async (m, site) => {
      const overview = await site.read<Overview>(() =>
        located(m.series[series], `series ${series}`),
      );
      return overview.ok
        ? located(overview.value.blocks[block], `${series}, block ${block}`)
        : overview;
    });
  }

  private readonly inBlock =
    (block: number): Locate =>
    (m) =>
      located(m.commits.files[block], `commits, block ${block}`);
  commits(block: number) {
    return this.get<Commits>(`c ${block}`, this.inBlock(block));
  }
  /** What is there already. */
  peekCommits(block: number) {
    return this.come.get(`c ${block}`) as Answer<Commits> | undefined;
  }
  awaitCommits(block: number) {
    return this.wait<Commits>(`c ${block}`, this.inBlock(block));
  }

  flags() {
    return this.get<Flags>('flags', (m) => located(m.flags, 'flags'));
  }

  /** Asks again for what failed. */
  retry(): void {
    for (const [key, answer] of this.come) {
      if (answer.ok) continue;
      this.come.delete(key);
      this.asked.delete(key);
    }
    this.changed();
  }

  /**
   * The place of a commit by its ten digits, newest first; -1: none; null: a file that is needed
   * cannot be read.
   */
  async place(sha: string): Promise<number | null> {
    let whole = true;
    for (let block = this.site.manifest.commits.files.length - 1; block >= 0; block--) {
      const answer = await this.awaitCommits(block);
      if (!answer.ok) {
        whole = false;
        continue;
      }
      const at = answer.value.sha.lastIndexOf(sha);
      if (at >= 0) return answer.value.first + at;
    }
    return whole ? -1 : null;
  }
}

/** What is known of a commit; undefined while its block is on its way or cannot be read. */
export interface Commit {
  place: number;
  sha: string;
  time: number | null;
  subject: string | null;
  author: string | null;
  run: string | null;
  epoch: number | null;
  quick: boolean;
}

/** peek: do not ask for its block. */
export function commitAt(store: Store, place: number, peek = false): Commit | undefined {
  if (place < 0 || place >= store.site.manifest.commits.count) return undefined;
  const block = Math.floor(place / store.site.manifest.commits.block);
  const answer = peek ? store.peekCommits(block) : store.commits(block);
  if (!answer?.ok) return undefined;
  const c = answer.value,
    i = place - c.first;
  if (c.sha[i] === undefined) return undefined;
  return {
    place,
    sha: c.sha[i],
    time: c.time[i] ?? null,
    subject: c.subject[i] ?? null,
    author: c.author[i] ?? null,
    run: c.run[i] ?? null,
    epoch: c.epoch[i] ?? null,
    quick: c.quick[i] === 1,
  };
}

/** The store, and a number that grows with each file that has come. */
export function useStore(site: Site): [Store, number] {
  const [tick, set] = useState(0);
  const store = useMemo(() => {
    let waiting = false;
    return new Store(site, () => {
      if (waiting) return;
      waiting = true; // files come in bursts: a frame shows all that came since the last
      (document.hidden ? setTimeout : requestAnimationFrame)(() => {
        waiting = false;
        set((n) => n + 1);
      });
    });
  }, [site]);
  return [store, tick];
}
