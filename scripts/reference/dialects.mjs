/** A table of the fields that the contract marks as present in the dialect `live` only. */
export const dialectTable = (contract) => {
  const note = contract.notes.merge_request.get.returns;
  const objects = {
    user: objectIn(note.properties.author), note,
    'end of a line range': at(note, 'position', 'line_range', 'start'),
    'child epic': contract.epics.assign.returns, appearance: contract.appearance.get.returns,
  };
  const rows = Object.entries(objects).map(([name, shape]) => `| ${name} | ${liveFields(name, shape).join(', ')} |`);
  return ['| Object | Fields in `live` only |', '|---|---|', ...rows].join('\n');
};

/** The shape at a path of keys; in a union, the part that has the key. */
const at = (shape, ...keys) => keys.reduce((found, key) =>
  parts(found).find((part) => part.properties?.[key]).properties[key], shape);

const parts = (shape) => shape.anyOf ? shape.anyOf.flatMap(parts) : [shape];

const objectIn = (shape) => parts(shape).find((part) => part.properties);

const liveFields = (name, shape) => {
  const fields = Object.entries(objectIn(shape).properties).filter(([, part]) => part['x-dialect'] === 'live');
  if (fields.length === 0) throw new Error(`the contract marks no field of a ${name}`);
  return fields.map(([key]) => `\`${key}\``);
};
