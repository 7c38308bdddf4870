import { expect, it } from 'vitest';
import { createDictionary, createPseudonyms } from '../../../src/recording/redact.js';
import { randomHex } from '../../../src/server/random.js';

const emptyDictionary = () => createDictionary(createPseudonyms(randomHex));

it('knows users by the keys that name them, wherever they are', () => {
  const words = emptyDictionary();
  words.learn([{ author: { username: 'ada', name: 'Ada Lovelace' }, merged_by: null }, { reviewer_username: 'bob', usernames: ['eve'] }]);
  words.learnPairs('author_username=kim&search=zed&sudo=joe');
  expect(['ADA', 'bob', 'eve', 'kim', 'joe', 'zed', 'Ada Lovelace'].map(words.isUser)).toEqual([true, true, true, true, true, false, false]);
});

it('takes no words of the service and no numbers for users', () => {
  const words = emptyDictionary();
  words.learnPairs('author_username=None&reviewer_username=any&sudo=12');
  expect(['none', 'any', '12', ''].map(words.isUser)).toEqual([false, false, false, false]);
});

it('says of a text that has no known word that it has none, however many it knows', () => {
  const words = emptyDictionary();
  expect(words.mayOccurIn('by Ada')).toBe(false);
  words.learn([{ username: 'a.b', name: 'Ada L. Byron' }, { username: 'İnci', name: 'Zed' }]);
  expect(['BY ADA', 'see A.B', 'see axb', 'İnci', 'Zedd', 'by nobody'].map(words.mayOccurIn)).toEqual([true, true, false, true, true, false]);
  words.learn(Array.from({ length: 400 }, (_, i) => ({ username: `user${i}` })));
  expect(words.mayOccurIn('USER399')).toBe(true);
});

it('finds the longest full name at a place', () => {
  const words = emptyDictionary();
  words.learn([{ username: 'a', name: 'Ada' }, { username: 'b', name: 'Ada L. Byron' }]);
  expect(words.nameAt('by Ada L. Byron!', 3, 'Ada')).toBe('Ada L. Byron');
  expect(words.nameAt('by Ada L. Byrons', 3, 'Ada')).toBe('Ada');
  expect(words.nameAt('by Adam', 3, 'Adam')).toBeNull();
});

it.each([['username', true], ['author_username', true], ['approver_usernames[]', true], ['sudo', true], ['name', false], ['usernames_of', false]])(
  'the key %s names users: %s', (key, expected) => {
    const words = emptyDictionary();
    words.learnPairs(`${encodeURIComponent(key)}=ada`);
    expect(words.isUser('ada')).toBe(expected);
  });
