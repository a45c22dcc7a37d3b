/** What a shortened run can tell, and what it cannot. */
export const shortRun =
  'A shortened run (-quick) shows that all works: who builds, streams and is measured, and who ' +
  'fails. Its figures are of too few seconds to say who is better; scripts/bench run without ' +
  '-quick is for that.';
