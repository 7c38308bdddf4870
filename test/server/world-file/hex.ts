/** Hexadecimal texts in order: 0…01, 0…02. */
export const hexInOrder = (): ((length: number) => string) => {
  let last = 0;
  return (length) => (++last).toString(16).padStart(length, '0');
};
