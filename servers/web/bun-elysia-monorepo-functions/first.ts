// The first halves of / and /id, and the value of /json.

export const greeting = () => "h";

export const id = (id: string) => id;

export const value = (value: unknown) => value;
