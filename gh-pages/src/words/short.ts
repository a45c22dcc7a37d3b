/** The words for a shortened run. */
export const shortRun =
  'A shortened run (-quick) shows which servers build and answer, and which fail. It is too short to ' +
  'rank servers; call scripts/bench run without -quick for that.';

/** The same of a comparison. */
export const shortComparison =
  'A shortened comparison (-quick) shows that everything works. Its figures mean little; call ' +
  'scripts/bench compare without -quick for a verdict.';
