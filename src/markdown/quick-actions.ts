interface Block { readonly start: number; readonly end: number }

/**
 * Where older services find quick actions, which read lines instead of Markdown. They skip code, HTML and quotes; some
 * versions also skip what is between backticks, all from the first to the last or pair by pair. Takes linear time.
 */
export const actionsByLine = (text: string): ReadonlySet<number> => {
  if (!/^\//m.test(text)) return new Set();
  const found = (['none', 'all', 'pairs'] as const).flatMap((ticks) => [...actionsIn(text, ticks)]);
  return new Set(found.sort((a, b) => a - b));
};

function* actionsIn(text: string, ticks: 'none' | 'all' | 'pairs') {
  const isAtEnd = (at: number) => at === text.length || text[at] === '\n';
  const skips = { code: linesOf(text, '```'), quote: linesOf(text, '>>>'), html: closingTags(text) };
  const angle = nextOf(text, '>');
  const lastTick = isAtEnd(text.lastIndexOf('`') + 1) ? text.lastIndexOf('`') : text.lastIndexOf('`\n');
  const lastOpening = lastTick < 2 ? -1 : text.lastIndexOf('`', lastTick - 2);
  const endOfLines = (at: number): number | undefined => {
    if (text.startsWith('>>>', at)) return skips.quote(at + 4);
    if (text[at] !== '<') return undefined;
    const end = angle(at + 1);
    return end > at + 1 && text[end + 1] === '\n' ? skips.html(end + 3) : undefined;
  };
  const endOf = (at: number, isStart: boolean): number | undefined => {
    const code = isStart && text.startsWith('```', at) ? skips.code(at + 4) : undefined;
    if (code !== undefined) return code;
    if (ticks === 'all' && isStart && at <= lastOpening) return lastTick + 1;
    if (ticks === 'pairs' && text[at] === '`') return text.indexOf('`', at + 2) + 1 || undefined;
    return isStart ? endOfLines(at) : undefined;
  };
  for (let at = 0; at < text.length;) {
    const isStart = at === 0 || text[at - 1] === '\n';
    const end = endOf(at, isStart);
    if (end === undefined && isStart && /^\/[A-Za-z_]/.test(text.slice(at, at + 2))) yield at;
    at = end ?? at + 1;
  }
}

/** Finds the next occurrence from an index on, which only grows; -1 if there is none. */
const nextOf = (text: string, wanted: string) => {
  let found = -2;
  return (from: number): number => {
    if (found !== -1 && found < from) found = text.indexOf(wanted, from);
    return found;
  };
};

/** Finds the end of the first block that starts at an index or behind it. The index only grows. */
const endsOf = (blocks: readonly Block[]) => {
  let i = 0;
  return (from: number): number | undefined => {
    while (i < blocks.length && blocks[i]!.start < from) i++;
    return blocks[i]?.end;
  };
};

const linesOf = (text: string, mark: string) => endsOf([...text.matchAll(new RegExp(`\\n${mark}(?=\\n|$)`, 'g'))]
  .map(({ index }) => ({ start: index, end: index + 1 + mark.length })));

const closingTags = (text: string) => {
  const angle = nextOf(text, '>');
  return endsOf([...text.matchAll(/\n<\/(?!>)/g)].flatMap(({ index }) => {
    const end = angle(index + 3) + 1;
    return end > 0 && (end === text.length || text[end] === '\n') ? [{ start: index, end }] : [];
  }));
};
