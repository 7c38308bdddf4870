import { expect, it } from 'vitest';
import { createDictionary, createPseudonyms, createRedactor } from '../../../src/recording/redact.js';
import { randomHex } from '../../../src/server/random.js';

const redactor = (...users: readonly { readonly username: string; readonly name: string }[]) => {
  const pseudonyms = createPseudonyms(randomHex);
  const dictionary = createDictionary(pseudonyms);
  dictionary.learn([{ username: 'ada', name: 'Ada Lovelace' }, { username: 'root', name: 'Administrator' }, ...users]);
  return { ...createRedactor(pseudonyms, dictionary), of: pseudonyms.of };
};

it('a text loses users, names, mentions, mail addresses and hosts, the same ones everywhere', () => {
  const { text, of } = redactor();
  expect(text('ada and @ADA, Ada Lovelace <ada@acme.dev>, @stranger; https://git.acme.dev/ada/app?x=1 @all')).toBe(
    `${of('user', 'ada')} and @${of('user', 'ADA')}, ${of('name', 'Ada Lovelace')} <${of('mail', 'ada@acme.dev')}>, @${of('user', 'stranger')}; `
    + `https://${of('host', 'git.acme.dev')}/${of('user', 'ada')}/app?x=1 @all`);
});

it('a user whose full name is the username has one pseudonym, also where another username begins with it', () => {
  const { json, of } = redactor({ username: 'bot', name: 'bot' }, { username: 'bot-2', name: 'Second' }, { username: 'kim', name: 'Bot Kim' });
  const given = { username: 'bot', name: 'bot', path: 'bot/app', body: '@bot, bot and bot-2, not bot-3 nor Bot Kim' };
  const [bot, second] = [of('user', 'bot'), of('user', 'bot-2')];
  expect(JSON.parse(json(JSON.stringify(given)))).toEqual({
    username: bot, name: bot, path: `${bot}/app`, body: `@${bot}, ${bot} and ${second}, not ${bot}-3 nor ${of('name', 'Bot Kim')}`,
  });
});

it.each(['https://git.acme.dev/ada.', 'https://git.acme.dev/ada; more', '(https://git.acme.dev/ada/app, ada)', 'https://localhost/~ada!'])(
  'an address in a text loses users also before punctuation: %s', (given) => {
    const { text, of } = redactor();
    expect(text(given)).toBe(given.replaceAll(/\bada\b/g, of('user', 'ada')).replace('git.acme.dev', of('host', 'git.acme.dev')));
  });

it.each(['/projects/team%2fada/issues', 'q=a%20ada', 'by%40ada', 'at 100%ada'])('a text loses users after an encoded character: %s', (given) => {
  const { text, of } = redactor();
  expect(text(given)).toBe(given.replace('ada', of('user', 'ada')));
});

it('a text keeps what names nobody', () => {
  const { text } = redactor();
  for (const kept of ['Fix the adapter, at 12:30', 'a@b', 'http://localhost:80/x', 'https://docs.example.com/a', '']) expect(text(kept)).toBe(kept);
});

it('JSON keeps numbers, keys, spaces, digests, times and file names', () => {
  const { json, of } = redactor();
  const given = '{ "ada": 1e3, "username":"ada", "file_path":"ada.ts", "created_at":"2024-05-01", "head_sha":"ada", "body":"by ada\\n" }';
  const user = of('user', 'ada');
  expect(json(given)).toBe(given.replace('"username":"ada"', `"username":"${user}"`).replace('by ada\\n', `by ${user}\\n`));
  expect(json('not json "ada')).toBe('not json "ada');
});

it('a path and a query keep their spelling around what is replaced', () => {
  const { target, pairs, of } = redactor();
  const user = of('user', 'ada');
  expect(target('/api/v4/projects/ada%2Fapp/-/tree?author_username=ada&x=%7E')).toBe(`/api/v4/projects/${user}%2Fapp/-/tree?author_username=${user}&x=%7E`);
  expect(pairs('body=hi+%40ada&position[new_path]=ada.ts&flag')).toBe(`body=${encodeURIComponent(`hi @${user}`)}&position[new_path]=ada.ts&flag`);
});
