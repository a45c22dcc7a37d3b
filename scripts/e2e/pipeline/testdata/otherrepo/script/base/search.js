const goods = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` }));

export const search = (query) => goods.filter((item) => item.name.includes(query)).slice(0, 10);
