/** What `--json` may name, for a command's help. */
export const fieldsText = (names: readonly string[]): string => `Fields for --json:\n${lines(names)}`;

const widest = 78;

const lines = (names: readonly string[]): string => {
  const rows: string[] = [];
  for (const name of names) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= widest) rows[rows.length - 1] = `${last}, ${name}`;
    else rows.push(`  ${name}`);
  }
  return `${rows.map((row, i) => i < rows.length - 1 ? `${row},` : row).join('\n')}\n`;
};
