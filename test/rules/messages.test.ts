import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/errors.js';
import { failureOf } from '../../src/cli/command-line/failure.js';
import { json } from '../support/answers.js';
import { ranIn } from '../support/app.js';
import { hintsIn, messagesIn, sources, type Text } from './source.js';

/** The verbs that hints start with. A new one is added here by its author, who has read the hint as an order. */
const verbs = new Set(`add advance apply ask call change check choose comment commit compare confirm convert correct create delete describe do
  download fetch fix free give leave let limit log make mark move name omit open paste pass pipe post push put read record redirect remove
  renew replace resolve restart restore run save see send set shorten start stop store swap take try unlock unset update
  upgrade use wait write`.split(/\s+/));

/** Two questions of command lines everywhere, which are advice too. */
const isHabit = (hint: string): boolean => /^(did you mean |usage: colloquy )/.test(hint);

const startsWithVerb = ({ text }: Text): boolean =>
  /^…/.test(text) || text === '' || isHabit(text) || verbs.has(/^[a-z]+/.exec(text)?.[0] ?? '');

/** Values are in double quotes, code is in backticks; only shell and YAML examples have single quotes. */
const isOddlyQuoted = ({ text }: Text): boolean =>
  /(^|[ (])'(?![&.#@])[^']*'/.test(text.replace(/`[^`]*`|-[A-Z] '[^']*'|--[a-z-]+ '[^']*'/g, ''));
const needsSomething = ({ text }: Text): boolean => /\bneeds?\b(?! not)/.test(text);
const hasHouseWord = ({ text }: Text): boolean => /\bnoteables?\b|(?<!--)\bneutral\b/.test(text);
/** The reason follows a colon: `cannot read a.yaml: no such file`. */
const isOddFile = ({ text }: Text): boolean => /^cannot (read|write|open|store|save)\b.* \((…|E[A-Z]+)\)/.test(text);

const listed = (texts: readonly Text[]): string[] => texts.map(({ place, text }) => `${place}: ${text}`);

const rules: readonly (readonly [string, (all: Text[], hints: Text[]) => Text[]])[] = [
  ['hints start with a verb', (_, hints) => hints.filter((hint) => !startsWithVerb(hint))],
  ['values are in double quotes', (all) => all.filter(isOddlyQuoted)],
  ['a missing part is required, not needed', (all) => all.filter(needsSomething)],
  ['the reason of a failed read or write follows a colon', (all) => all.filter(isOddFile)],
  ['what one comments on has its usual name, and "neutral" is a flag only', (all) => all.filter(hasHouseWord)],
];

const planted = { file: 'src/cli/planted.ts', text: `
  const adviceHint = isOld ? 'the service is old' : 'update the service';
  throw usage('--x needs --y', adviceHint);
  throw new Problem('failure', \`unknown thing '\${name}'\`, 'check the thing');
  throw usage(\`cannot read \${path} (\${code})\`, 'name the noteable');` };

describe('in the errors of the source', () => {
  const given = sources();
  const hints = hintsIn(given);
  const all = [...messagesIn(given), ...hints];

  it('finds messages and hints', () => {
    expect(hints.length).toBeGreaterThan(400);
    expect(all.length - hints.length).toBeGreaterThan(400);
  });

  it.each(rules)('%s', (_, broken) => {
    expect(listed(broken(all, hints))).toEqual([]);
  });

  it.each(rules)('a violation is found where %s', (_, broken) => {
    const wrong = hintsIn([planted]);
    expect(broken([...messagesIn([planted]), ...wrong], wrong)).toHaveLength(1);
  });
});

describe('an error that the service reports', () => {
  const list = ['discussions', 'list', '!1'];
  const statuses = Array.from({ length: 200 }, (_, i) => 400 + i);

  it('starts with the words of the program, for every status', () => {
    for (const status of statuses) {
      const { message, hint } = failureOf(new ApiError(status, 'words', 'GET /x', { message: 'words' }, {}))!;
      expect(message).toMatch(/^the (service|proxy) .*: "words"$/);
      expect(startsWithVerb({ place: `${status}`, text: hint! }), `${status}: ${hint}`).toBe(true);
    }
  });

  it.each(['404 Project Not Found', '403 Forbidden', '400 Bad request - note is missing', '409 Conflict: Resource lock'])(
    'names the status once: %s', async (message) => {
      const status = Number(message.slice(0, 3));
      const { err } = await ranIn({ answer: () => json(status, { message }) }, ...list);
      expect(err.split('\n')[0]!.split(`${status}`)).toHaveLength(2);
    });

  it('does not quote a message that repeats the status', () => {
    const said = (status: number, text: string) => failureOf(new ApiError(status, text, 'GET /x', {}, {}))!.message;
    expect(said(403, '403 Forbidden')).toBe('the service denied access');
    expect(said(404, '404 Not found')).toBe('the service did not find the requested object');
    expect(said(400, '400 Bad request - note is missing')).toBe('the service rejected the request: "note is missing"');
    expect(said(429, 'Too Many Requests')).toBe('the service reports that the rate limit is exceeded');
  });
});
