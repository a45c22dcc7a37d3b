import type { Health, Failure as Trouble } from '../data/types.ts';
import { Notice } from '../frame/notice.tsx';
import { cut } from '../words/text.ts';

/** Names each reason of a server once, with its scenarios. */
export function grouped(all: Trouble[]): { server: string; scenarios: string[]; why: string }[] {
  const by = new Map<string, { server: string; scenarios: string[]; why: string }>();
  for (const t of all) {
    const why = (t.why ?? []).join('; ') || 'no reason was recorded';
    const key = `${t.server} ${why.replace(/\d+(\.\d+)?/g, '#')}`;
    const group = by.get(key) ?? { server: t.server, scenarios: [], why };
    group.scenarios.push(t.scenario);
    by.set(key, group);
  }
  return [...by.values()];
}

/**
 * The gaps of the newest run, with reasons. They are in the first view, since readers take a
 * gap for health.
 */
export function Troubles({ health }: { health: Health }) {
  const missing = health.missing ?? [];
  const failed = grouped(health.failed ?? []);
  const warned = grouped(health.warning ?? []);
  if (missing.length + failed.length + warned.length === 0) return null;
  return (
    <>
      {missing.length + failed.length > 0 && (
        <Notice>
          <ul>
            {missing.map((name) => (
              <li>
                <strong>{name}</strong> was not measured at this commit, but at the commit before.
              </li>
            ))}
            {failed.map((f) => (
              <li>
                <strong>{f.server}</strong> has no figures in {f.scenarios.join(', ')}:{' '}
                {cut(f.why, 300)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {warned.length > 0 && (
        <details>
          <summary>Warnings (*)</summary>
          <ul>
            {warned.map((s) => (
              <li>
                <strong>{s.server}</strong> in {s.scenarios.join(', ')}: {cut(s.why, 300)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
