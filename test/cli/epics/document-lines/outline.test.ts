import { describe, expect, it } from 'vitest';
import { errorOf, readShort } from '../../../support/epic-documents.js';

describe('an outline', () => {
  it('has one epic a line and children below their parent', async () => {
    expect(await readShort('&2 Login\n  Passwords\n  Keys\n    Renew keys\nReports\n')).toEqual([
      ['&2|Login', ['|Passwords', ['|Keys', ['|Renew keys']]]], '|Reports']);
  });

  it('allows tabs, bullets, blank lines, comments, a byte order mark and line ends of Windows', async () => {
    expect(await readShort('\uFEFF# the plan\r\n- A\r\n\t* B\r\n\r\n\t\t# later\r\n\t- C\r\n* D\r\n')).toEqual([['|A', ['|B', '|C']], '|D']);
  });

  it.each([
    ['&2', '&2|'], ['acme/team&2 Login', 'acme/team&2|Login'], ['id:501', 'id:501|'], ['epic/3 X', 'epic/3|X'],
    ['https://host/groups/acme/-/epics/3', 'https://host/groups/acme/-/epics/3|'], ['\\&2 Login', '|&2 Login'], ['\\# One', '|# One'],
    ['\\- One', '|- One'], ['\\\\ One', '|\\ One'], ['R & D', '|R & D'], ['& more', '|& more'], ['#1', null], ['!2 Fix', '|!2 Fix'],
    ['https://host/page', '|https://host/page'], ['- - A', '|- A'], ['+ &3', '&3|'], ['+ A', '|A'], ['\\+ A', '|+ A'], ['+1 A', '|+1 A'],
    ['1. A', '|1. A'],
  ])('reads %j as %j', async (line, expected) => {
    expect(await readShort(`${line}\nlast`)).toEqual(expected === null ? ['|last'] : [expected, '|last']);
  });

  it.each([
    ['A\n \tB', '2:2: tabs and spaces are mixed'], ['A\n  B\nC\n\tD', '4:1: tabs and spaces are mixed'],
    ['  A', '1:3: the indentation fits no line above'], ['A\n    B\n  C', '3:3: the indentation fits no line above'],
    ['', '1:1: the outline names no epics'], ['# nothing\n', '1:1: the outline names no epics'], ['A\n- ', '2:2: the title is empty'],
    ['A\n\\', '2:1: the title is empty'], [`A\n- ${'x'.repeat(256)}`, '2:3: the title has more than 255 characters'],
  ])('rejects %j with its place', async (text, message) => {
    expect(await errorOf(text)).toEqual({ code: 'usage', message: `plan.txt:${message}` });
  });

  it('can be the Markdown of epics tree, with new items between its links', async () => {
    const text = '- [acme&2](<https://host/e/2>) Log\\_in\n  - New\n  - [&3](<>)\n- [not a reference](<x>) C\n';
    expect(await readShort(text)).toEqual([['acme&2|Log_in', ['|New', '&3|']], '|[not a reference](<x>) C']);
  });

  it('can be the rows of epics tree, of any depth; a row without an id is a new epic', async () => {
    const row = (depth: number, id: string, title: string) => `${depth}\t\t${id && '&1'}\t${id}\t10\t\t2024-05-01\t${title}\n`;
    expect(await readShort(row(2, '501', 'A') + row(3, '', 'New') + row(2, '502', ''))).toEqual([['id:501|A', ['|New']], 'id:502|']);
    expect(await errorOf(`${row(1, '501', 'A')}B\n`)).toEqual({ code: 'usage', message: 'plan.txt:2:1: this is not a row of `epics tree`' });
    expect(await errorOf(row(1, '501', 'A') + row(2, '', ' '))).toEqual({ code: 'usage', message: 'plan.txt:2:1: the title is empty' });
    expect(await errorOf(row(1, '501', 'A') + row(0, '502', 'B'))).toEqual({
      code: 'usage', message: 'plan.txt:2:1: the depth is less than 1, that of the first row' });
  });

  it('has at most 50 levels and 20,000 epics', async () => {
    const nested = (levels: number) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}A`).join('\n');
    expect([await errorOf(nested(50)), await errorOf(nested(51))]).toMatchObject([null, { message: 'plan.txt:51:51: nested too deeply' }]);
    expect([await errorOf('A\n'.repeat(20_000)), await errorOf('A\n'.repeat(20_001))]).toMatchObject([null, { message: 'plan.txt:20001:1: too many epics' }]);
  });
});
