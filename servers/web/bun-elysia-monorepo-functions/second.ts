// The second halves of / and /id, and the file.

export const greeting = () => "i";

export const name = (name: string | null) => (name === null ? "" : ` ${name}`);

export const file = () => Bun.file("data.json");
