/** Nothing in backticks is a reference, a mention or formatting. */
export const codeSpan = (text: string): string => {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text.replace(/\s+/g, ' ').trim()}${pad}${ticks}`;
};

/** A link from code. The address cannot end it, or be read as Markdown. @param address which `isWebAddress` accepts */
export const codeLink = (text: string, address: string): string => {
  const inLink = new URL(address).href.replace(/[\\`()<>]/g, (character) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${codeSpan(text)}](${inLink.replace(/&(?=#?\w+;)/g, '&amp;')})`;
};

/** Neither longer than a link needs to be nor with the name of a user, which hides where it leads. */
export const isWebAddress = (value: unknown): value is string => {
  if (typeof value !== 'string' || !/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value)) return false;
  const { href, username, password } = new URL(value);
  return href.length <= longestAddress && username === '' && password === '';
};

const longestAddress = 2_048;

/** @param text null for a block without lines @param info what follows the opening fence */
export const codeBlock = (text: string | null, info = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestTicks(text ?? '') + 1));
  return [`${fence}${info}`, ...text === null ? [] : [text], fence].join('\n');
};

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

export interface SuggestionBlock {
  /** Numbers of lines before and after that of the note, which the suggestion replaces too. */
  readonly above: number;
  readonly below: number;
  /** Every line ends with a line feed. */
  readonly text: string;
  /** The lines of the body that the block takes, fences included; the end is excluded. */
  readonly start: number;
  readonly end: number;
}

/** Blocks of the kind `suggestion:-1+2` (behavior: notes.suggestions). */
export const suggestionBlocks = (body: string): SuggestionBlock[] => {
  if (!body.includes('suggestion')) return [];
  const blocks: SuggestionBlock[] = [];
  let open: { readonly fence: string; readonly range: RegExpExecArray | null; readonly start: number } | null = null;
  const lines = body.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, fence, info] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (open === null) {
      const range = /^suggestion(?::-(\d+)\+(\d+))?\s*$/.exec(info ?? '');
      if (fence !== undefined) open = { fence, range, start: at };
    } else if (fence !== undefined && info!.trim() === '' && fence.startsWith(open.fence)) {
      if (open.range) {
        const [, above = 0, below = 0] = open.range;
        const text = lines.slice(open.start + 1, at).map((inside) => `${inside}\n`).join('');
        blocks.push({ above: Number(above), below: Number(below), text, start: open.start, end: at + 1 });
      }
      open = null;
    }
  }
  return blocks;
};
