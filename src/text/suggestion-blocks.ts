interface SuggestionBlock {
  /** Lines before and after that of the note, which the suggestion replaces too. */
  readonly above: number;
  readonly below: number;
  /** Every line ends with a line feed. */
  readonly text: string;
}

/** Blocks of code of the kind `suggestion:-1+2` (behavior: notes.suggestions). Reads each line once. */
export const suggestionBlocks = (body: string): SuggestionBlock[] => {
  if (!body.includes('suggestion')) return [];
  const blocks: SuggestionBlock[] = [];
  let open: { readonly fence: string; readonly range: RegExpExecArray | null; readonly lines: string[] } | null = null;
  for (const line of body.split(/\r?\n/)) {
    const [, fence, info] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (open === null) {
      const range = /^suggestion(?::-(\d{1,3})\+(\d{1,3}))?\s*$/.exec(info ?? '');
      if (fence !== undefined) open = { fence, range, lines: [] };
    } else if (fence !== undefined && info!.trim() === '' && fence.startsWith(open.fence)) {
      if (open.range) blocks.push(blockOf(open.range, open.lines));
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
};

const blockOf = ([, above = '0', below = '0']: RegExpExecArray, lines: readonly string[]): SuggestionBlock =>
  ({ above: Number(above), below: Number(below), text: lines.map((line) => `${line}\n`).join('') });
