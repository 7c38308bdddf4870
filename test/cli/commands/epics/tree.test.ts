import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

const tree = async (words: readonly string[], options: Parameters<typeof epicApp>[0] = {}) =>
  (await epicApp(options)).run('epics', 'tree', ...words);

describe('epics tree', () => {
  it('shows an epic with its children as lines on a terminal', async () => {
    expect((await tree(['&1'], { terminal: true, env: { LANG: 'C.UTF-8' } })).out)
      .toBe('&1 Roadmap\n├── &4 Epic 4\n├── &5 Epic 5\n├── &6 Epic 6\n└── acme/sub&4 Sub 4\n');
    expect((await tree(['&1', '-o', 'table'])).out).toBe('&1 Roadmap\n|-- &4 Epic 4\n|-- &5 Epic 5\n|-- &6 Epic 6\n`-- acme/sub&4 Sub 4\n');
  });

  it('shows the trees of a group without an epic, and names epics of subgroups by their paths', async () => {
    expect((await tree(['-o', 'table'])).out).toBe([
      'acme', '|-- &8 Epic 8', '|-- &3 Epic 3', '|   `-- &7 Epic 7', '|-- &2 Secret', '`-- &1 Roadmap', '    |-- &4 Epic 4', '    |-- &5 Epic 5',
      '    |-- &6 Epic 6', '    `-- acme/sub&4 Sub 4', ''].join('\n'));
    expect((await tree(['-o', 'table', '-g', 'acme/sub'])).out).toBe('acme/sub\n`-- &4 Sub 4\n');
    expect((await tree(['-o', 'table', '-g', '11'])).out).toBe('11\n`-- &4 Sub 4\n');
  });

  it('prints rows with depth and parent in a pipe', async () => {
    expect((await tree(['&3'])).out).toBe('0\t\t&3\t503\tacme\t\t\tEpic 3\n1\t503\t&7\t507\tacme\t\t\tEpic 7\n');
    expect((await tree(['&3', '-o', 'csv', '--json=depth,iid'])).out).toBe('depth,iid\n0,3\n1,7\n');
    expect((await tree(['&3', '-o', 'id'])).out).toBe('503\n507\n');
    expect((await tree(['&3', '-o', 'ndjson', '-q', '.depth'])).out).toBe('0\n1\n');
    expect((await tree(['&1', '-o', 'id', '-L', '2'])).out).toBe('500\n504\n');
  });

  it('prints nested JSON, with null for children that were not read', async () => {
    expect(JSON.parse((await tree(['&3', '--json'])).out)).toMatchObject({ iid: 3, title: 'Epic 3', children: [{ iid: 7, children: [] }] });
    expect((await tree(['&3', '--json=iid,depth'])).out).toBe('{"iid":3,"depth":0,"children":[{"iid":7,"depth":1,"children":[]}]}\n');
    expect((await tree(['&1', '--depth', '1', '-q', '[.children[].children]'])).out).toBe('[null,null,null,null]\n');
    expect(JSON.parse((await tree(['--json=iid'])).out)).toMatchObject([{ iid: 8 }, { iid: 3, children: [{ iid: 7 }] }, { iid: 2 }, { iid: 1 }]);
  });

  it('prints YAML for epics apply, Markdown, and graphs', async () => {
    expect(parse((await tree(['-o', 'yaml'])).out)).toContainEqual(
      { ref: '&3', title: 'Epic 3', children: [{ ref: '&7', title: 'Epic 7' }] });
    expect((await tree(['&3', '-o', 'markdown'])).out).toContain('  - [&7](<http://service.test/groups/acme/-/epics/7>) Epic 7\n');
    expect((await tree(['&3', '-o', 'dot'])).out).toMatch(/^digraph epics \{\n[^]*e503 -> e507;\n\}\n$/);
    expect((await tree(['&3', '-o', 'mermaid'])).out).toBe('flowchart LR\n  e503["#38;3 Epic 3"]\n  e507["#38;7 Epic 7"]\n  e503 --> e507\n');
  });

  it('reads only as many levels as --depth says', async () => {
    const { out, sent } = await tree(['--depth', '1', '-o', 'id']);
    expect(out.trim().split('\n')).toEqual(['508', '503', '501', '500']);
    expect(sent).toHaveLength(1);
    expect(await tree(['&1', '--depth', '0'])).toMatchObject({ code: 2, sent: [] });
  });

  it('rejects flags that contradict the format before any request', async () => {
    for (const words of [['-o', 'dot', '--json'], ['-o', 'mermaid', '-q', '.'], ['-o', 'yaml', '-L', '3'], ['--json', '-L', '1'], ['-o', 'dot', '-L', '1'],
      ['--json=nothing'], ['-o', 'svg'], ['-o', 'json', '--csv-safe']]) {
      expect(await tree(['&1', ...words])).toMatchObject({ code: 2, sent: [], out: '' });
    }
    expect(await ran('epics', 'list', '&1', '-o', 'dot')).toMatchObject({ code: 2, sent: [] });
  });

  it('reports an epic that the service lists twice', async () => {
    const answer = ({ target }: { target: string }) => /\/epics\/7\/epics/.test(target)
      ? json(200, [{ id: 503, iid: 3, group_id: 10, parent_id: 507, title: 'Epic\u001b 3', labels: [], author: { id: 1 }, description: '',
        start_date: null, due_date: null, created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z' }]) : undefined;
    const { code, err, out } = await tree(['&3', '-o', 'id'], { answer });
    expect({ code, err, out }).toEqual({
      code: 0, out: '503\n507\n', err: 'warning: the service also lists &3 "Epic\\u001b 3" below &7; it is shown only once\n' });
  });

  it('works for a service without lookups, which names the epic at the top', async () => {
    const answer = ({ target }: { target: string }) => /\/epics(\/\d+)?(\?|$)/.test(target) && !/\/epics\/\d+\/epics/.test(target) ? unknownRoute : undefined;
    expect((await tree(['&3', '-o', 'table'], { answer })).out).toBe('acme&3\n`-- &7 Epic 7\n');
    expect(JSON.parse((await tree(['&3', '--json=iid'], { answer })).out)).toEqual([{ iid: 7, children: [] }]);
    expect(await tree([], { answer })).toMatchObject({ code: 6, out: '' });
  });

  it('shows progress on a terminal, and says that a group has no epics', async () => {
    const { err } = await tree(['&1'], { terminal: true });
    expect(err).toContain('\rchildren of epics: 1 of 4 on level 1 …');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
    const answer = () => json(200, []);
    expect(await tree([], { terminal: true, answer })).toMatchObject({ code: 0, out: '', err: 'no epics\n' });
  });

  it('requires an epic or a group', async () => {
    expect(await ranIn({ env: { COLLOQUY_GROUP: undefined } }, 'epics', 'tree')).toMatchObject({ code: 2, sent: [] });
  });

  it('fails as a whole if one request fails', async () => {
    const answer = ({ target }: { target: string }) => /\/epics\/6\/epics/.test(target) ? json(403, { message: '403 Forbidden' }) : undefined;
    for (const format of ['json', 'yaml', 'table', 'id', 'dot']) expect(await tree(['&1', '-o', format], { answer })).toMatchObject({ code: 5, out: '' });
  });
});
