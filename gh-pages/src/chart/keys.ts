// The meaning of keys while the chart has the focus.

export type Act =
  | { kind: 'move'; by: number }
  | { kind: 'end'; last: boolean }
  | { kind: 'row'; by: 1 | -1 }
  | { kind: 'event'; by: 1 | -1 }
  | { kind: 'zoom'; how: 'in' | 'out' | 'all' }
  | { kind: 'open' }
  | { kind: 'leave' };

export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** null: a key of the browser or of nobody. */
export function act(e: Pressed): Act | null {
  if (e.ctrlKey || e.altKey || e.metaKey) return null;
  const far = e.shiftKey ? 10 : 1;
  switch (e.key) {
    case 'ArrowLeft':
      return { kind: 'move', by: -far };
    case 'ArrowRight':
      return { kind: 'move', by: far };
    case 'ArrowUp':
      return { kind: 'row', by: -1 };
    case 'ArrowDown':
      return { kind: 'row', by: 1 };
    case 'Home':
      return { kind: 'end', last: false };
    case 'End':
      return { kind: 'end', last: true };
    case 'PageUp':
      return { kind: 'event', by: -1 };
    case 'PageDown':
      return { kind: 'event', by: 1 };
    case '+':
    case '=':
      return { kind: 'zoom', how: 'in' };
    case '-':
    case '_':
      return { kind: 'zoom', how: 'out' };
    case '0':
      return { kind: 'zoom', how: 'all' };
    case 'Enter':
      return { kind: 'open' };
    case 'Escape':
      return { kind: 'leave' };
    default:
      return null;
  }
}

export const keysHelp =
  'Keys: left and right by commit, with Shift by ten, Home and End to the ends; up and down by ' +
  'server; Page Up and Page Down by event; + − 0 zoom; Enter to the details; Escape leaves.';
