import { runForm, type Kind } from '../data/runs.ts';
import { matching, oneOf, type Fields } from '../state/url.ts';
import type { Chosen } from './plots.tsx';
import { measures } from './distributions.tsx';

export interface RunState extends Chosen {
  id: string;
  of: '' | Kind;
  sv: string;
}

export const fields: Fields<RunState> = {
  id: matching('id', new RegExp(`${runForm.source}|^[0-9a-f]{10,40}$`)),
  of: oneOf('of', ['', 'trend_runs', 'leaderboard'], ''),
  sc: matching('sc', /^[\w .,@-]{1,60}$/),
  rd: matching('rd', /^\d{1,4}$/),
  ds: matching('ds', /^[\w-]{1,40}$/),
  dm: oneOf('dm', measures, 'stream'),
  sv: matching('sv', /^[\w@.-]{1,60}$/), // the server whose rows are marked
};
