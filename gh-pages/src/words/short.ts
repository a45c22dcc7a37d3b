/** What a shortened run shows. */
export const shortRun =
  'A shortened run (-quick) shows which servers build and stream, and which fail. It is too short to ' +
  'rank servers; call scripts/bench run without -quick for that.';
