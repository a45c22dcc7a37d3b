const goods = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` }));
const copy = () => JSON.parse(JSON.stringify(goods));

// Each item is read from a copy of its own.
export const search = (query) =>
  copy()
    .filter(({ id }) => copy()[id].name.includes(query))
    .slice(0, 10);
