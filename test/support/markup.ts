import { fromHtml } from 'hast-util-from-html';

/** Every element in a markup, with the names of its attributes. */
export const elementsIn = (markup: string): [tag: string, ...attributes: string[]][] => {
  const found: [string, ...string[]][] = [];
  const visit = (node: { type: string; tagName?: string; properties?: object; children?: unknown[] }) => {
    if (node.type === 'element') found.push([node.tagName!, ...Object.keys(node.properties!)]);
    for (const child of node.children ?? []) visit(child as typeof node);
  };
  visit(fromHtml(markup, { fragment: !markup.startsWith('<!doctype') }));
  return found;
};

export const textOf = (markup: string): string => {
  const textIn = (node: { type: string; value?: string; children?: unknown[] }): string =>
    node.type === 'text' ? node.value! : (node.children ?? []).map((child) => textIn(child as typeof node)).join('');
  return textIn(fromHtml(markup, { fragment: true }));
};
