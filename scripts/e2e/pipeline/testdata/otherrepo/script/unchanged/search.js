const items = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` }));

export const search = (text) => items.filter((item) => item.name.includes(text)).slice(0, 10);
