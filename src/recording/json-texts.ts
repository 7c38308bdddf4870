/** Changes a text that has the key, such as `username`; items of lists have that of the list. */
type ChangeText = (key: string, text: string) => string;

/** Parsed JSON. */
export interface JsonText {
  /** Undefined if it is not valid. */
  readonly value: unknown;
  /** The same with other texts: everything between them stays as it is, including spaces and the digits of numbers. */
  change(change: ChangeText): string;
}

/** Most JSON is as `JSON.stringify` prints it: what has other spaces and numbers is changed literal by literal. */
export const readJson = (json: string): JsonText => {
  const value = parsed(json);
  return {
    value,
    change: (change) =>
      prints(value) === json ? JSON.stringify(changeTexts(value, change)) : changeLiterals(json, change),
  };
};

/** Undefined for what is nested too deeply. */
const prints = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

type Container = Record<string | number, unknown> | unknown[];

/** In place, without recursion: JSON can be nested deeply. */
const changeTexts = (root: unknown, change: ChangeText): unknown => {
  if (typeof root === 'string') return change('', root);
  const open: [container: Container, key: string][] = isContainer(root) ? [[root, '']] : [];
  const changed = (key: string, value: unknown): unknown => {
    if (typeof value === 'string') return change(key, value);
    if (isContainer(value)) open.push([value, key]);
    return value;
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, key] = next;
    if (Array.isArray(node)) for (let i = 0; i < node.length; i++) node[i] = changed(key, node[i]);
    else for (const name of Object.keys(node)) node[name] = changed(name, node[name]);
  }
  return root;
};

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** With the colon after it if it is a key. */
const jsonText = /"(?:[^"\\]|\\.)*"(?=\s*(:)?)/gs;

const changeLiterals = (json: string, change: ChangeText): string => {
  let key = '';
  return json.replace(jsonText, (literal, colon: string | undefined) => {
    const text = literal.includes('\\') ? parsed(literal) : literal.slice(1, -1);
    if (typeof text !== 'string') return literal;
    if (colon === undefined) {
      const changed = change(key, text);
      return changed === text ? literal : JSON.stringify(changed);
    }
    key = text;
    return literal;
  });
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
