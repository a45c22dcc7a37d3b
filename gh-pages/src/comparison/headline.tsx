/** A headline of the tool; commands in it stand between backticks. */
export const Headline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 ? <code>{part}</code> : part))}</>
);
