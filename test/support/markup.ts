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
