import { expect, it } from 'vitest';
import { isUnreadPath, mayNameWrongly } from '../../../../src/cli/notes/findings/line-names.js';

const hides = (report: string, path: string, isPreset = false) => mayNameWrongly(['other.c:1: note: no\n', report], path, isPreset);

it('a name with the end of a path in it hides its findings, also below a folder', () => {
  for (const name of ['"a.c", line 5', 'a:b.c', 'a\nb.c', 'a.c(1) - b.c', 'a.c(1,2,3,4) - b.c', 'a\u2028b.c']) {
    expect([hides(`${name}:1: error: no\n`, `src/${name}`), hides('b.c:1: error: no\n', `src/${name}`)], name).toEqual([true, false]);
    expect(hides(`${name}/x.c:1: error: no\n`, `src/${name}/x.c`, true), name).toBe(true);
  }
});

it('a name that begins like a level hides its findings at the start of a line, unless a preset reads them', () => {
  for (const name of ['error a.c', '[note] a.c', '3>a.c']) {
    const line = `  ${name}:1: error: no\n`;
    expect([hides(line, name), hides(line, name, true), hides(`see ${line}`, name)], name).toEqual([true, false, false]);
  }
  expect(hides(' a.c:1: error: no\n', ' a.c', true)).toBe(true);
});

it('other names do not', () => {
  for (const name of ['a (1).c', '(shop)/[id].c', 'note.c', 'a b.c']) expect(hides(`${name}:1: error: no\n`, name), name).toBe(false);
});

it('a line that was not read is about a file if it begins with its path, a place and a message', () => {
  const isAbout = (line: string, path = 'messages.de') => isUnreadPath(['other', line], path);
  for (const line of ['messages.de:3: no', 'messages.de:3:1: no', './messages.de:3: no', '/app/messages.de:3: no', 'messages.de(3,1): no',
    '[lint] messages.de:3: no']) {
    expect(isAbout(line), line).toBe(true);
  }
  for (const line of ['messages.de: no', 'messages.de:3:', 'my messages.de:3: no', 'messages.de2:3: no', 'to x/messages.de:3: no']) {
    expect(isAbout(line), line).toBe(false);
  }
});
