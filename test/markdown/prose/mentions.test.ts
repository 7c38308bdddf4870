import { expect, it } from 'vitest';
import { mentionsIn } from '../../../src/markdown/prose.js';

it.each<[string, string[]]>([
  ['@ada, what do you think?', ['ada']],
  ['(cc @Ada and @bob.b)', ['ada', 'bob.b']],
  ['Ask @ada.', ['ada']],
  ['- **@ada**\n- > @bob\n\n| @carol | x |\n|---|---|\n| @dan | y |', ['ada', 'bob', 'carol', 'dan']],
  ['<b>@ada</b>', ['ada']],
  ['ada@example.com, a/@ada, x@ada', []],
  ['`@ada` and ``a `@bob` b``', []],
  ['```\n@ada\n```\n\n    @bob\n', []],
  ['[mail](http://example.com/@ada) <http://example.com/@bob>', []],
  ['no name: @ , @-, mail', []],
])('%j mentions %j', (text, names) => expect([...mentionsIn(text)]).toEqual(names));

it('takes linear time', () => {
  const size = 200_000;
  for (const part of ['@a.', '@', '`@a', '[@a](', '@a@', '<@a']) expect(mentionsIn(part.repeat(size / part.length)).size).toBeLessThan(size);
});
