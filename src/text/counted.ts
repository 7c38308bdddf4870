/** A number of things: `1 note`, `3 notes`, `2 children`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
