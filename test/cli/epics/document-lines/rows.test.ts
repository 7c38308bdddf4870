import { describe, expect, it } from 'vitest';
import { errorOf, readShort } from '../../../support/epic-documents.js';
import { everyRow } from '../../../support/rows.js';

const header = 'depth,parent,epic,id,group,start,due,title\n';
const csvRows = '1,500,&2,501,acme,,,"A, ""b"""\n2,501,acme/sub&3,504,acme/sub,2024-05-01,,C\n1,500,,,,,,New\n';
const tsvRows = csvRows.replaceAll(',', '\t').replace('"A\t ""b"""', 'A, "b"');
const nodes = [['id:501|A, "b"', ['id:504|C']], '|New'];

describe('an outline', () => {
  it('may have titles with commas below one that is a word of headers', async () => {
    for (const text of ['Title, chapter\n', 'Title, chapter\nA\n', 'Users, roles\nA, b\n']) {
      expect(await readShort(text)).toEqual(text.trim().split('\n').map((title) => `|${title}`));
    }
  });
});

describe('a table', () => {
  it('is read from the rows of epics tree, whatever stands above them or separates them', async () => {
    await everyRow<[string, string, string?]>([
      ['rows between tabs', tsvRows], ['rows between commas', csvRows], ['a header', header + csvRows], ['a comment above', `# saved in May\n\n${tsvRows}`],
      ['a comment above the header', `# saved in May\n${header}${csvRows}`], ['a comment between', tsvRows.replace('\n', '\n# later\n')],
      ['semicolons', (header + csvRows).replaceAll(',', ';').replace('A;', 'A,')], ['line ends of Windows', (header + csvRows).replaceAll('\n', '\r\n')],
      ['a byte order mark', `\uFEFF${header}${csvRows}`], ['a name', csvRows, 'plan.CSV'], ['the name of rows between tabs', tsvRows, 'plan.tsv'],
      ['a header between tabs', header.replaceAll(',', '\t') + tsvRows],
      ['other columns in another order', 'Title,ID,Depth,Owner\n"A, ""b""",501,1,ada\nC,504,2,bob\nNew,,1,\n'],
    ], ([name]) => name, async ([, text, file]) => { expect(await readShort(text, file)).toEqual(nodes); });
  });

  it('has no header in a row of epics tree whose title, group or both are words of headers', async () => {
    expect(await readShort('0\t\t&1\t500\tname\t\t\tkey\n1\t500\t&2\t501\tname\t\t\tA\n')).toEqual([['id:500|key', ['id:501|A']]]);
    expect(await readShort('0\t\t&1\t500\tacme\t\t\tsummary\n1\t500\t&2\t501\tacme\t\t\tA\n')).toEqual([['id:500|summary', ['id:501|A']]]);
  });

  it('names an epic by its reference where it has no ids, and may have titles of several lines', async () => {
    expect(await readShort('depth,epic,title\n1,acme/sub&3,C\n2,,"New\nline"\n')).toEqual([['acme/sub&3|C', ['|New\nline']]]);
  });

  it('may have titles that begin like a comment', async () => {
    expect(await readShort('title,depth\n#urgent fix,1\n# saved in May\nAttempts,1\n')).toEqual(['|#urgent fix', '|Attempts']);
    expect(await readShort('title\tdepth\nAttempts\t1\n#2 step\t2\n')).toEqual([['|Attempts', ['|#2 step']]]);
    expect(await errorOf('title,depth\n# saved in May, by me\nA,1\n')).toMatchObject({ message: 'plan.txt:2:1: this is not a row of `epics tree`' });
  });

  it('is refused with its line if it is another one', async () => {
    await everyRow<[string, string, string?]>([
      ['Title,State\nA,opened\n', '1:1: the table has no columns depth and title'],
      ['# mine\nsummary;status\nA;open\n', '2:1: the table has no columns depth and title'],
      ['Title,Points\nA,3\n', '1:1: the table has no columns depth and title'], ['Team;Epic\nX;A\nY;B\n', '1:1: the table has no columns depth and title'],
      ['"Title","Story, points"\n"A, b","3"\n', '1:1: the table has no columns depth and title'],
      ['A,opened\n', '1:1: this is not a row of `epics tree`', 'epics.csv'],
      ['epic,id,group,start,due,title\n&2,501,acme,,,A\n', '1:1: the table has no columns depth and title'],
      [`Roadmap\n${tsvRows}`, '1:1: this is not a row of `epics tree`'],
      [`${header}1,500,&2,501,acme,,A\n`, '2:1: this is not a row of `epics tree`'],
      ['depth,title\n1,A\n1,"B\n', '3:1: the quotes of a cell do not end at its end'],
      ['depth,title\n1,"A\n1,"B"\n', '2:1: the quotes of a cell do not end at its end'],
      [`${header}"1\n",,,,,,,A\nx,,,,,,,B\n`, '4:1: this is not a row of `epics tree`'],
    ], ([text]) => text, async ([text, message, file]) => {
      expect(await errorOf(text, file)).toEqual({ code: 'usage', message: `${file ?? 'plan.txt'}:${message}` });
    });
  });
});
