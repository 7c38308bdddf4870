import { expect, it } from 'vitest';
import { commitMessage, type Suggested } from '../../../../../src/cli/notes/suggestions/suggested.js';

const by = (author: object): Suggested => ({
  path: 'a.txt', author: { id: 7, username: 'ada', name: 'Ada', web_url: 'https://service.example/ada', ...author },
}) as Suggested;

const trailers = (...authors: object[]) => commitMessage(authors.map(by)).split('\n').slice(2, -1);

it('names each author once, by the public address or the one that hides it', () => {
  expect(commitMessage([by({}), by({})])).toBe(
    'Apply 2 suggestions to 1 file\n\nCo-authored-by: Ada <7-ada@users.noreply.service.example>\n');
  expect(trailers({ public_email: 'ada@example.com' }, { public_email: '' })).toEqual([
    'Co-authored-by: Ada <ada@example.com>', 'Co-authored-by: Ada <7-ada@users.noreply.service.example>']);
});

it.each([
  [{ name: 'Ada <root@example.com>\nSigned-off-by: Root' }, 'Ada root@example.com Signed-off-by: Root'],
  [{ name: '\u001b[31mAda\u202e' }, '\\u001b[31mAda\\u202e'],
  [{ name: ' ' }, 'ada'],
])('keeps one line for the name %j', (author, name) => {
  expect(trailers(author)).toEqual([`Co-authored-by: ${name} <7-ada@users.noreply.service.example>`]);
});

it.each(['a@b>\nX: y', 'a b@c', '<a@b>', 'none', 'a\u0007@b'])('passes over the address %j', (public_email) => {
  expect(trailers({ public_email })).toEqual(['Co-authored-by: Ada <7-ada@users.noreply.service.example>']);
});

it('writes no foreign characters of a user name into the address', () => {
  expect(trailers({ username: 'a>\nb', web_url: 'not an address' })).toEqual(['Co-authored-by: Ada <7-a--b@users.noreply.invalid>']);
});
