import { isUtf8 } from 'node:buffer';
import { endOfLiteral, isKey, jsonOrNull, textOfLiteral } from '../json.js';
import { redactedMark } from './known.js';
import { isSecretKey, isSecretName, isSecretVariable } from './names.js';
import { isOrdinary, type OnSecret } from './shapes.js';
import { isPairName, isPairValue, redactText } from './texts.js';

interface JsonOptions {
  readonly onSecret: OnSecret;
  readonly variable?: string | null;
}

interface Literal { readonly key: string; readonly text: string; readonly start: number; readonly end: number }

interface Frame {
  readonly isList: boolean;
  readonly isSecret: boolean;
  /** The values of such variables are secrets, whatever their names. */
  readonly isOfSecrets: boolean;
  key: string;
  /** Of a list, it is the text before. */
  variable: string | null;
  isMasked: boolean;
  isBase64: boolean;
  readonly waiting: Literal[];
}

/** Lists of variables that the service never shows again. */
const secretLists = /^(?:url_variables|custom_headers)$/;

/** Even below the name of a secret: `"tokens": [{ "id": 1, "name": "deploy" }]`. */
const ordinaryKeys =
  /^(?:id|iid|name|user|username|title|description|type|state|status|scopes?|.*_(?:at|id|type|name|scopes?))$/;

/** The JSON can be truncated, or several values as in JSON Lines. What is between the texts stays as it is. */
export const redactJson = (json: string, { onSecret, variable = null }: JsonOptions): string => {
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const frames: Frame[] = [frameIn(null, false, null)];

  const hide = ({ start, end, text }: Literal): void => {
    if (text === redactedMark || text === '') return;
    onSecret(text, false);
    changes.push({ start, end, text: redactedMark });
  };
  const search = ({ key, start, end, text }: Literal, isBase64: boolean): void => {
    const changed = isBase64 ? redactBase64(text, onSecret) : redactString(text, onSecret, key === 'query');
    if (changed !== text) changes.push({ start, end, text: changed });
  };
  const close = (frame: Frame): void => {
    if (frame.isList) return;
    const isSecret = frame.isMasked || frame.isOfSecrets
      || (frame.variable !== null && isSecretVariable(frame.variable));
    for (const literal of frame.waiting) {
      if (isSecret && isPairValue(literal.key)) hide(literal);
      else search(literal, frame.isBase64 && literal.key === 'content');
    }
  };
  const readStructure = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const character = json[at];
      if (character === '{' || character === '[') {
        const isFirst = frames.length === 1;
        frames.push(frameIn(frames.at(-1)!, character === '[', isFirst ? variable : null));
      } else if ((character === '}' || character === ']') && frames.length > 1) close(frames.pop()!);
    }
  };
  const readText = (literal: Literal): void => {
    const frame = frames.at(-1)!;
    const { key, text } = literal;
    const isNamed = frame.isList && frame.variable !== null && isNameOf(frame.variable, text);
    if (frame.isList) frame.variable = text;
    if (isNamed || isSecretKey(key) || (frame.isSecret && !ordinaryKeys.test(key))) hide(literal);
    else if (isPairValue(key)) frame.waiting.push(literal);
    else {
      const isOther = frame.variable === null || !isSecretVariable(frame.variable);
      if (isPairName(key) && isOther) frame.variable = text;
      if (key === 'encoding' && text === 'base64') frame.isBase64 = true;
      search(literal, false);
    }
  };
  const readKey = (key: string, end: number): void => {
    const frame = frames.at(-1)!;
    frame.key = key;
    scalar.lastIndex = end;
    const match = scalar.exec(json);
    if (match === null) return;
    if (match[1] === 'true' && /^(?:masked|hidden|masked_and_hidden)$/.test(key)) frame.isMasked = true;
    if (!/^-?\d{8,}/.test(match[1]!) || !isSecretName(key)) return;
    hide({ key, text: match[1]!, start: scalar.lastIndex - match[1]!.length, end: scalar.lastIndex });
  };

  let at = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', at)) {
    const end = endOfLiteral(json, start);
    readStructure(at, start);
    const key = frames.at(-1)!.key;
    at = end < 0 ? json.length : end;
    if (end < 0) readText({ key, start, end: at, text: textOfCut(json, start) });
    else if (isKey(json, end)) readKey(textOfLiteral(json, start, end) ?? json.slice(start + 1, end - 1), end);
    else readText({ key, start, end, text: textOfLiteral(json, start, end) ?? json.slice(start + 1, end - 1) });
  }
  readStructure(at, json.length);
  frames.reverse().forEach(close);
  return withChanges(json, changes);
};

const textOfCut = (json: string, start: number): string =>
  textOfLiteral(`${json.slice(start)}"`, 0, json.length - start + 1) ?? json.slice(start + 1);

const scalar = /\s*:\s*(true|-?\d[\d.eE+-]*)/y;

/** `["Authorization", "Bearer …"]`, and not `["token", "parser"]`. */
const isNameOf = (name: string, value: string): boolean =>
  /^(?=[\w-]*[A-Z_-])[\w-]+$/.test(name) && isSecretVariable(name) && !value.split(/[ \t]/).every(isOrdinary);

const frameIn = (outer: Frame | null, isList: boolean, variable: string | null): Frame => ({
  isList,
  isSecret: outer !== null && (outer.isSecret ? !ordinaryKeys.test(outer.key) : isSecretKey(outer.key)),
  isOfSecrets: outer !== null && (outer.isOfSecrets || secretLists.test(outer.key)),
  key: outer?.key ?? '', variable, isMasked: false, isBase64: false,
  waiting: isList && outer !== null ? outer.waiting : [],
});

const withChanges = (
  json: string, changes: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): string => {
  let [done, at] = ['', 0];
  for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
    done += json.slice(at, start) + JSON.stringify(text);
    at = end;
  }
  return done + json.slice(at);
};

export const redactString = (text: string, onSecret: OnSecret, isStrict = false): string => {
  const isJson = /^\s*(?:\{\s*"|\[\s*["{[])/.test(text) && jsonOrNull(text) !== null;
  return isJson ? redactJson(text, { onSecret }) : redactText(text, { onSecret, isStrict });
};

const redactBase64 = (text: string, onSecret: OnSecret): string => {
  const bytes = Buffer.from(text, 'base64');
  if (!isUtf8(bytes)) return text;
  const content = bytes.toString();
  const changed = redactString(content, onSecret);
  return changed === content ? text : Buffer.from(changed).toString('base64');
};
