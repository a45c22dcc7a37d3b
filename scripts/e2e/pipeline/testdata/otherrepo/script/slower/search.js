const goods = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` }));

// Each search works on a copy of its own.
export const search = (query) =>
  JSON.parse(JSON.stringify(goods))
    .filter((item) => new RegExp(query).test(item.name))
    .slice(0, 10);
