import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEpicDocument } from '../../../src/cli/epics/document.js';
import type { DocumentNode } from '../../../src/cli/epics/document-nodes.js';
import { failureOf } from '../../../src/cli/command-line/errors/failure.js';

type Short = string | readonly [string, readonly Short[]];

/** A node as `ref|title`, with its children if it has any. */
const short = ({ ref, title, children }: DocumentNode): Short => {
  const name = [ref ?? '', title ?? ''].join('|');
  return children === null ? name : [name, children.map(short)];
};

const read = async (text: string, file = 'plan.txt'): Promise<Short[]> => (await readEpicDocument(text, file)).nodes.map(short);

const errorOf = async (text: string, file = 'plan.txt') => {
  const failure = await readEpicDocument(text, file).then(() => null, (error: unknown) => failureOf(error));
  return failure === null ? null : { code: failure.code, message: failure.message };
};

describe('an outline', () => {
  it('has one epic a line and children below their parent', async () => {
    expect(await read('&2 Login\n  Passwords\n  Keys\n    Renew keys\nReports\n')).toEqual([
      ['&2|Login', ['|Passwords', ['|Keys', ['|Renew keys']]]], '|Reports']);
  });

  it('allows tabs, bullets, blank lines, comments, a byte order mark and line ends of Windows', async () => {
    expect(await read('\uFEFF# the plan\r\n- A\r\n\t* B\r\n\r\n\t\t# later\r\n\t- C\r\n* D\r\n')).toEqual([['|A', ['|B', '|C']], '|D']);
  });

  it.each([
    ['&2', '&2|'], ['acme/team&2 Login', 'acme/team&2|Login'], ['id:501', 'id:501|'], ['epic/3 X', 'epic/3|X'],
    ['https://host/groups/acme/-/epics/3', 'https://host/groups/acme/-/epics/3|'], ['\\&2 Login', '|&2 Login'], ['\\# One', '|# One'],
    ['\\- One', '|- One'], ['\\\\ One', '|\\ One'], ['R & D', '|R & D'], ['& more', '|& more'], ['#1', null], ['!2 Fix', '|!2 Fix'],
    ['https://host/page', '|https://host/page'], ['- - A', '|- A'],
  ])('reads %j as %j', async (line, expected) => {
    expect(await read(`${line}\nlast`)).toEqual(expected === null ? ['|last'] : [expected, '|last']);
  });

  it.each([
    ['A\n \tB', '2:2: tabs and spaces are mixed'], ['A\n  B\nC\n\tD', '4:1: tabs and spaces are mixed'],
    ['  A', '1:3: the indentation fits no line above'], ['A\n    B\n  C', '3:3: the indentation fits no line above'],
    ['', '1:1: the outline names no epics'], ['# nothing\n', '1:1: the outline names no epics'], ['A\n- ', '2:2: the title is empty'],
    ['A\n\\', '2:1: the title is empty'], [`A\n- ${'x'.repeat(256)}`, '2:3: the title has more than 255 characters'],
  ])('rejects %j with its place', async (text, message) => {
    expect(await errorOf(text)).toEqual({ code: 'usage', message: `plan.txt:${message}` });
  });
});

describe('a YAML file', () => {
  it('has the children as a list or below the key children', async () => {
    const list = "- ref: '&2'\n  title: Login\n  children:\n    - title: Passwords\n    - title: Keys\n      children: []\n- Reports\n- '&3'\n- 2024\n";
    const expected = [['&2|Login', ['|Passwords', ['|Keys', []]]], '|Reports', '&3|', '|2024'];
    expect(await read(list, 'plan.yaml')).toEqual(expected);
    expect(await read(`children:\n${list.replace(/^/gm, '  ')}`, 'PLAN.YML')).toEqual(expected);
  });

  it('can be JSON', async () => {
    expect(await read('[{"ref":"id:501","children":["A","&2 B"]},{"title":"&2 B"}]', 'plan.json'))
      .toEqual([['id:501|', ['|A', '&2|B']], '|&2 B']);
  });

  it('can say that an epic has no children', async () => {
    expect(await read('[]', 'plan.yaml')).toEqual([]);
  });

  it.each([
    ['- ref: &2', '1:10: &2 without quotes is an anchor in YAML'], ['- &2 Login', '1:6: &2 without quotes is an anchor in YAML'],
    ['- A\n- *a', '2:3: *a is an alias without an anchor'], ['- {}', '1:3: an epic has neither ref nor title'],
    ['- children: []', '1:3: an epic has neither ref nor title'], ['- ref: 501', '1:8: "501" is not a reference to an epic'],
    ["- ref: '!2'", '1:8: "!2" is not a reference to an epic'], ['- title: ""', '1:10: the title is empty'],
    ['- title:', '1:9: a text is missing'], ['- A\n-', '2:2: a text is missing'], ['- titel: A', '1:3: unknown key'],
    ['- title: A\n  title: B', '2:3: duplicate key "title"'], ['- title: A\n  children: B', '2:13: children is not a list'],
    ['- - A', '1:3: this is not an epic'], ['A', '1:1: the file has no list of epics'], ['', '1:1: the file has no list of epics'],
    ['title: A', '1:1: the top level is one epic'], ['- A\n---\n- B', '2:1: a second document starts here'],
    ['- title: [A]', '1:10: a text is missing'], ['- A\n- "', '2:4: Missing closing'],
  ])('rejects %j with its place', async (text, message) => {
    const error = await errorOf(text, 'plan.yaml');
    expect(error?.code).toBe('usage');
    expect(error?.message).toContain(`plan.yaml:${message}`);
  });
});

describe('hostile files', () => {
  it.each([
    ['deep YAML', 'plan.yaml', '['.repeat(100_000)], ['deep closed YAML', 'plan.yaml', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['deep children', 'plan.json', '[{"title":"A","children":'.repeat(60) + '[]' + '}]'.repeat(60)],
    ['a deep outline', 'plan.txt', Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}A`).join('\n')],
    ['many epics', 'plan.txt', 'A\n'.repeat(20_001)], ['many epics in YAML', 'plan.yaml', '- A\n'.repeat(20_001)],
    ['many keys', 'plan.json', `[{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',')}}]`],
    ['expanding aliases', 'plan.yaml', 'children: [&a [x], &b [*a,*a], &c [*b,*b]]'],
    ['a large file', 'plan.txt', 'x'.repeat(5_000_001)],
  ])('are rejected: %s', async (_, file, text) => {
    expect(await errorOf(text, file)).toMatchObject({ code: 'usage' });
  });

  it('end in a hierarchy or in a usage error', async () => {
    const fragments = fc.array(fc.constantFrom(
      '- ', '\n', '  ', '\t', '&2', '*a', 'title: ', 'ref: ', 'children:', '[', ']', '{', '}', '"', "'", '#', '\\', 'A', ': ', ',', '---', '!!', '|', '>'));
    await fc.assert(fc.asyncProperty(fragments, fc.constantFrom('a.txt', 'a.yaml'), async (parts, file) => {
      const error = await errorOf(parts.join(''), file);
      if (error !== null) expect(error.code).toBe('usage');
    }), { numRuns: 500 });
  });
});
