import { describe, expect, it } from 'vitest';
import { kindOfWord, parseRef, refForms, refFromUrl, refKinds, wordForms } from '../../../../src/cli/command-line/ref.js';
import { ran } from '../../../support/app.js';

const kinds = Object.entries(refKinds);

describe('a kind of reference', () => {
  it.each(kinds)('%s is found by its word and its part of a web address', (kind, { word, segment, example }) => {
    const owner = kind === 'epic' ? 'groups/acme' : 'acme/app';
    expect([kindOfWord.get(word), refFromUrl(`https://a.test/${owner}/-/${segment}/${example}`, [])?.kind]).toEqual([kind, kind]);
  });

  it.each(['word', 'sigil', 'segment'] as const)('shares no %s with another', (property) => {
    expect(new Set(kinds.map(([, one]) => one[property])).size).toBe(kinds.length);
  });

  it.each(['toString', 'MR', ''])('is not found by another word: %j', (word) => {
    expect(kindOfWord.get(word as 'mr')).toBeUndefined();
  });

  it.each(kinds)('%s has an example that can be parsed with its word and its sign', (kind, { word, sigil, example }) => {
    expect(parseRef(`${word}/${example}`)).toEqual({ kind, id: example });
    expect(parseRef(`${sigil}${example}`)).toEqual({ kind, id: example });
  });

  it.each([['merge_request', '9'.repeat(16), true], ['merge_request', '9'.repeat(17), false], ['issue', '0', false], ['epic', '01', false],
    ['commit', 'abcd', true], ['commit', 'abc', false], ['commit', 'A'.repeat(64), true], ['commit', 'a'.repeat(65), false]] as const)(
    '%s may have the id %s: %s', (kind, id, fits) => {
      expect(refKinds[kind].id.test(id)).toBe(fits);
    });

  it.each(kinds)('%s has a flag, which rejects an id of another form', async (_, { word, form }) => {
    const { code, err, sent } = await ran('notes', 'list', `--${word}`, 'no id');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(form);
  });
});

describe('the forms of references', () => {
  it('are all listed in the error for another one', async () => {
    expect(refForms).toBe('!12, #7, $5, &3, @<sha>, mr/12, issue/7, snippet/5, epic/3, commit/<sha>, epic/id:501 or a web URL');
    expect((await ran('notes', 'list', 'constructor/1')).err).toContain(refForms);
  });

  it('with a word are in the help of commands', async () => {
    expect(wordForms).toBe('mr/12, issue/7, snippet/5, epic/3, commit/<sha>');
    expect((await ran('notes', 'list', '--help')).out.replace(/\s+/g, ' ')).toContain(`${wordForms}, a short form such as !12`);
  });
});
