import type { Element, ElementContent, RootContent } from 'hast';
import type { Schema } from 'hast-util-sanitize';
import type { Token } from 'marked';
import { counted } from '../text/messages.js';
import { plainText } from '../text/plain.js';
import { markupValue } from '../text/quoting.js';

export interface Html { readonly markup: string }

type Part = Html | string | null | readonly Part[];

/** Strings in `${}` are escaped, so that they are text or the value of a quoted attribute. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  ({ markup: texts.map((text, at) => text + markupOf(parts[at] ?? null)).join('') });

const markupOf = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string') return markupValue(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
};

/** The result loads nothing, runs nothing and cannot be activated. */
export interface MarkdownRenderer {
  readonly blocks: (text: unknown) => Html;
  readonly line: (text: unknown) => Html;
}

const inlineTags = ['a', 'b', 'br', 'code', 'del', 'em', 'i', 'kbd', 's', 'strong', 'sub', 'sup'];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const blockTags = [
  ...inlineTags, ...headings, 'blockquote', 'hr', 'img', 'input', 'li', 'ol', 'p', 'pre', 'table', 'tbody', 'td', 'th',
  'thead', 'tr', 'ul',
];

const strippedTags = [
  'script', 'style', 'template', 'title', 'textarea', 'select', 'iframe', 'object', 'noscript', 'noembed', 'noframes',
  'svg', 'math', 'xmp', 'plaintext',
];

/** The time for nested lists grows faster than their length. */
const maxLength = 50_000;

const schemaFor = (tagNames: string[]): Schema => ({
  tagNames, strip: strippedTags, allowComments: false, allowDoctypes: false,
  attributes: { a: ['href'], img: ['alt'], input: [['type', 'checkbox'], 'checked'], ol: ['start'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  required: {},
  ancestors: {
    li: ['ol', 'ul'], tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'],
  },
});

const fold = { above: 16, after: 12 };

/** In characters; a longer line is shown as several. */
const lineWidth = 80;

export const markdownRenderer = async (): Promise<MarkdownRenderer> => {
  const [{ Marked }, { fromHtml }, { sanitize }, { toHtml }] = await Promise.all([
    import('marked'), import('hast-util-from-html'), import('hast-util-sanitize'), import('hast-util-to-html'),
  ]);
  const marked = new Marked({ async: false });
  const clean = (parsed: string, schema: Schema, shown: Shown): Html => {
    const safe = sanitize(fromHtml(parsed, { fragment: true }), schema);
    return { markup: toHtml({ type: 'root', children: 'children' in safe ? shown(safe.children) : [] }) };
  };
  const blockHtml = (tokens: Token[]): Html => clean(marked.parser(tokens), schemaFor(blockTags), inert);
  return {
    blocks: (text) => limited(text, (source) => {
      const tokens = marked.lexer(source);
      const count = textHeight(source) > fold.above ? tokensThatFit(tokens) : tokens.length;
      const rest = tokens.slice(count);
      return html`${blockHtml(tokens.slice(0, count))}${rest.length === 0 ? null : folded(source, rest, blockHtml)}`;
    }),
    line: (text) => limited(text, (source) =>
      clean(String(marked.parseInline(source)), schemaFor(inlineTags), inertLine)),
  };
};

const limited = (text: unknown, render: (source: string) => Html): Html => {
  const whole = plainText(text);
  const source = whole.slice(0, maxLength);
  try {
    const rendered = render(source);
    if (whole === source) return rendered;
    return html`${rendered}<p>… and ${String(whole.length - maxLength)} characters</p>`;
  } catch {
    // Markup that is nested too deeply overflows the stack.
    return html`<pre>${source}</pre>`;
  }
};

const textHeight = (text: string): number =>
  trimmedLines(text).reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineWidth)), 0);

const trimmedLines = (text: string): string[] => text.trim().split('\n');

const tokensThatFit = (tokens: readonly Token[]): number => {
  let text = '';
  const count = tokens.findIndex(({ raw }) => {
    text += raw;
    return textHeight(text) > fold.after;
  });
  return count === -1 ? tokens.length : count;
};

const folded = (source: string, tokens: Token[], blocksOf: (tokens: Token[]) => Html): Html => {
  const rest = tokens.map(({ raw }) => raw).join('').trim();
  const [all, hidden] = [trimmedLines(source).length, trimmedLines(rest).length];
  const total = counted(all, 'line');
  const whole = all > 1 ? total : `${total} of ${rest.length} characters`;
  const label = hidden < all ? `${hidden} more of ${total}` : whole;
  return html`<details class="fold"><summary>${label}</summary><div>${blocksOf(tokens)}</div></details>`;
};

type Shown = (nodes: readonly RootContent[]) => RootContent[];

/** Replaces the elements that would load or open something by ones that show what it is. */
const inert = <T extends RootContent>(nodes: readonly T[]): (T | Element)[] =>
  nodes.map((node) => node.type === 'element' ? inertElement(node) : node);

const inertElement = ({ tagName, properties, children: given }: Element): Element => {
  const children = inert<ElementContent>(given);
  if (tagName === 'a') {
    const { href } = properties;
    return element('span', { className: ['link'], ...(href && { title: String(href) }) }, children);
  }
  if (tagName === 'img') {
    return element('span', { className: ['picture'] }, [text(`Image: ${alternative(properties)}`)]);
  }
  if (tagName === 'input') return element('span', {}, [text(properties['checked'] ? '☑ ' : '☐ ')]);
  // The levels of the text do not fit into the outline of the page.
  if (headings.includes(tagName) && hasText(children)) {
    return element('div', { className: ['heading', tagName], role: 'heading', ariaLevel: 4 }, children);
  }
  if (headings.includes(tagName)) return element('div', {}, children);
  return element(tagName === 'th' && !hasText(children) ? 'td' : tagName, properties, children);
};

const inertLine: Shown = (nodes) => withoutBreaks(inert(nodes));

const withoutBreaks = <T extends RootContent>(nodes: readonly T[]): (T | ElementContent)[] => nodes.map((node) => {
  if (node.type !== 'element') return node;
  return node.tagName === 'br' ? text(' ') : { ...node, children: withoutBreaks<ElementContent>(node.children) };
});

const alternative = ({ alt }: Element['properties']): string => String(alt ?? '') || 'no description';

const hasText = (nodes: readonly ElementContent[]): boolean => nodes.some((node) =>
  node.type === 'element' ? hasText(node.children) : node.type === 'text' && node.value.trim() !== '');

const element = (tagName: string, properties: Element['properties'], children: ElementContent[]): Element =>
  ({ type: 'element', tagName, properties, children });

const text = (value: string): ElementContent => ({ type: 'text', value });
