import { describe, expect, it } from 'vitest';
import { ran } from '../../support/app.js';
import { everyRow } from '../../support/rows.js';

const said = async (...argv: string[]) => {
  const { code, out, err } = await ran(...argv);
  return { code, out, err };
};
const told = (...lines: string[]) => ({ code: 2, out: '', err: lines.map((line) => `${line}\n`).join('') });

describe('an invalid command line', () => {
  it('names the field that a misspelled word after --json means', async () => {
    for (const argv of [['discussions', 'list', '!1', '--json', 'notse'], ['discussions', 'list', '--json', 'notse'],
      ['notes', 'list', '!1', '--json', 'bdoy'], ['notes', 'list', '!1', '--json', 'id,bdoy']]) {
      const { code, out, err } = await ran(...argv);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(JSON.parse(err)).toMatchObject({ error: {
        message: expect.stringMatching(/^unknown field "(notse|bdoy)"$/) as string,
        hint: expect.stringMatching(/^did you mean (notes|body)\? choose from: id, /) as string,
      } });
    }
  });

  it('says what else is wrong where --json has several fields in the next word', async () => {
    for (const fields of ['id,notes', 'id', 'id notes']) {
      const { code, err } = await ran('discussions', 'list', '--json', fields);
      expect([code, JSON.parse(err)]).toMatchObject([2, { error: { message: 'no merge request, issue, snippet, epic or commit given' } }]);
    }
  });

  it('names a verb of one noun with its noun, and an object with a verb as a command with a reference', async () => {
    const rows = [
      [['triage'], 'discussions triage'], [['inbox', '--new'], 'discussions inbox'], [['upsert', '--key', 'x'], 'notes upsert'],
      [['banner', 'Hi'], 'appearance banner'], [['tree'], 'epics tree'], [['switch'], 'auth switch'], [['path'], 'config path'],
      [['mr', 'view', '12'], 'discussions view mr/12'], [['pr', 'view', '3'], 'discussions view mr/3'],
      [['issue', 'list', '7'], 'discussions list issue/7'], [['mr', 'note', '12'], 'notes add mr/12'],
      [['mr', 'comment'], 'notes add mr/12'], [['epics', 'move', '&1', '&2'], 'epics assign --move'],
      [['note', 'post', '--from', 'sarif'], 'notes post'], [['discussion', 'check', '!1'], 'discussions check'],
      [['threads', 'check'], 'discussions check'], [['epic', 'tree'], 'epics tree'], [['note', 'show'], 'notes add'], [['note'], 'notes add'],
      [['discussion', 'toString'], 'discussions'], [['login'], 'auth login'], [['discusions'], 'discussions'],
      [['gate'], 'help gate'], [['findings', 'report.sarif'], 'help findings'], [['pipeline'], 'help ci'], [['faults'], 'help faults'],
    ] as const;
    await everyRow(rows, ([argv]) => argv.join(' '), async ([argv, meant]) => {
      const { code, out, err } = await said(...argv);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(new RegExp(`^colloquy: unknown command "\\w+"\ndid you mean ${meant}\\?\n$`));
    });
    expect((await said('export')).err).not.toContain('discussions export');
  });

  it('names all unknown fields at once', async () => {
    const { err } = await ran('notes', 'list', '!1', '--json=bdoy,id,autor,zzz');
    expect(JSON.parse(err)).toMatchObject({ error: { message: 'unknown fields "bdoy", "autor", "zzz"',
      hint: expect.stringMatching(/^did you mean body, author\? choose from: id, /) as string } });
  });

  it('says what the command has instead of an option of a similar one', async () => {
    expect((await said('appearance', 'set', '--save-plan', 'x')).err)
      .toBe('colloquy: unknown option "--save-plan"\nuse `colloquy appearance apply FILE --save-plan PLAN`: it saves a plan\n');
    expect((await said('serve', '--gitlab-version', '12.0')).err).toBe('colloquy: unknown option "--gitlab-version"\ndid you mean --service-version?\n');
    expect((await said('appearance', 'set', 'title', 'X')).err).toBe('colloquy: unexpected arguments "title" and "X"\ndid you mean --title "X"?\n');
    expect((await said('epics', 'apply', '&1', 'plan.yaml', '--save-plan', 'x')).err)
      .toBe('colloquy: unknown option "--save-plan"\nepics apply has no saved plans; --dry-run shows the changes\n');
  });

  it('names an unknown option before any other mistake', async () => {
    const rows = [
      [['notes', 'post', '--hlep'], '--hlep', '--help'], [['notes', 'post', '--form', 'sarif'], '--form', '--from'],
      [['notes', 'post', '--from', 'lins', '--hlep'], '--hlep', '--help'],
      [['notes', 'list', '--author', '', '!1', '--unresolvd'], '--unresolvd', '--unresolved'],
      [['epics', 'create', '--tilte', 'x'], '--tilte', '--title'], [['notes', 'upsert', '!1', '-m', '-x', '--kye=x'], '--kye', '--key'],
      [['appearance', 'banner', '--untill', '18:00'], '--untill', '--until'], [['discussions', 'list', '--json', '!1', '-L', '0', '--al'], '--al', '--all'],
    ] as const;
    await everyRow(rows, ([argv]) => argv.join(' '), async ([argv, option, meant]) => {
      const { code, err } = await said(...argv);
      expect([code, err.replaceAll('\\"', '"')]).toEqual([2, expect.stringContaining(`unknown option "${option}"`)]);
      expect(err).toContain(`did you mean ${meant}?`);
    });
    const known = [['notes', 'post', '--from', 'lins', '--help'], ['notes', 'list', '!1', '-L', '0', '--', '--hlep'], ['notes', 'upsert', '!1', '-m', '--hlep'],
      ['notes', 'exec', 'mr/1', '--', 'npm', '--hlep']];
    for (const argv of known) expect((await said(...argv)).err).not.toContain('unknown option');
  });

  it('suggests the equals sign where any word may be a field', async () => {
    expect((await ran('api', 'GET', 'user', '--json', 'id')).err).toContain('write it as --json=id');
  });

  it('suggests no flag that skips a question', async () => {
    for (const argv of [['discussions', 'list', '--web'], ['notes', 'delete', '!1', '121', '--force'], ['notes', 'delete', '!1', '121', '--yess'],
      ['epics', 'assign', '&1', '&2', '--mov'], ['appearance', 'undo', '--forse']]) {
      const { code, err } = await said(...argv);
      expect({ argv, code, err }).toEqual({ argv, code: 2, err: expect.not.stringMatching(/--(yes|move|force)\b(?!")/) as string });
    }
  });

  it('does not take a reference for fields', async () => {
    expect(await ran('discussions', 'list', '--json', '!1')).toMatchObject({ code: 0, err: '' });
  });

  it('suggests the flag that a word may belong to', async () => {
    expect(await said('appearance', 'set', '--email-header-and-footer', 'maybe')).toEqual(told(
      'colloquy: --email-header-and-footer takes its value after an equals sign',
      'write it as --email-header-and-footer=maybe'));
  });

  it('names unexpected arguments', async () => {
    expect(await said('discussions', 'list', '!1', 'more', 'words')).toEqual(told(
      'colloquy: unexpected arguments "more" and "words"', 'usage: colloquy discussions list [ref]'));
    expect(await said('appearance', 'get', '!1')).toEqual(told('colloquy: unexpected argument "!1"', 'usage: colloquy appearance get'));
    expect(await said('-p', 'x', 'doctor', '--url', 'y', 'z')).toEqual(told('colloquy: unexpected argument "z"', 'usage: colloquy doctor'));
  });

  it('says what the value of a missing option is', async () => {
    expect(await said('notes', 'exec', 'mr/12', '--', 'true')).toEqual(told('colloquy: required option "--key <key>" not specified',
      'pass --key <key>: key of the comment, which later runs find it by'));
    expect(await said('epics', 'create', 'acme&1')).toEqual(told('colloquy: required option "--title <text>" not specified',
      'pass --title <text>: title of the new epic'));
  });

  it('names missing arguments and their possible values', async () => {
    expect(await said('epics', 'assign', '&1')).toEqual(told(
      'colloquy: missing argument <child>', 'usage: colloquy epics assign <epic> <child>'));
    expect(await said('completion')).toEqual(told('colloquy: missing argument <shell>',
      'usage: colloquy completion <shell>; choose one of: bash, zsh, fish, powershell'));
    expect(await said('api', 'user')).toEqual(told('colloquy: missing argument <path>', 'did you mean api GET user?'));
    expect(await said('api', '/projects/:project')).toEqual(told('colloquy: missing argument <path>', 'did you mean api GET /projects/:project?'));
    for (const word of ['get', 'PATCH', "it's"]) {
      expect(await said('api', word)).toEqual(told('colloquy: missing argument <path>', 'usage: colloquy api <method> <path>'));
    }
  });

  it('suggests -m for a word that could be the text of a note', async () => {
    expect(await said('notes', 'add', '!1', 'hello')).toEqual(told('colloquy: unexpected argument "hello"',
      'usage: colloquy notes add [ref]; pass the text of a note with -m'));
  });

  it.each([
    ['discussions show !1 3333', 'get'], ['notes create !1 -m x', 'add'], ['notes update !1 120 -m x', 'edit'], ['notes rm !1 120', 'delete'],
    ['epics move &1 &2', 'epics assign --move'], ['appearance update', 'set'], ['auth whoami', 'status'], ['login', 'auth login'], ['comment !1', 'notes add'],
    ['epics link &1 &2', 'assign'], ['epics unlink &1 &2', 'unassign'], ['epics hierarchy &1', 'tree'], ['epics children &1', 'list'],
    ['auth use work', 'switch'], ['discussions close !1 3333', 'resolve'], ['discussions reopen !1 3333', 'unresolve'],
    ['mr list', 'discussions list mr/12'], ['discussions delete !1 3333', 'notes delete'], ['config remove url', 'unset'],
    ['discussions list !1 --repo acme/app', '--project'], ['discussions list !1 -R acme/app', '--project'], ['notes add !1 --body x', '--message'],
    ['notes upsert !1 --key k --file x', '--body-file'], ['discussions reply !1 3333 --file x', '--body-file'],
    ['notes add !1 -b x', '--message'], ['notes list !1 --page 2', '--all or --limit'], ['notes list !1 --format json', '--output'],
    ['discussions list !1 --state open', '--unresolved or --resolved'], ['notes list --pr 1', '--mr'], ['doctor --verbose', '--debug'],
    ['discussions list !1 --no-retry', '--retries 0'], ['notes add !1 -m x --no-retries', '--retries 0'], ['notes list !1 --retry 3', '--retries'],
    ['notes list !1 --host x', '--url'], ['notes list !1 --server x', '--url'], ['notes add !1 --private-token x', '--token'],
    ['discussions list !1 --file src/a.ts', '--path'], ['notes add !1 --from-file x', '--body-file'], ['notes add !1 --unique -m x', '--key'],
    ['discussions view !1 --markdown', '--output markdown'], ['notes list !1 --csv', '--output csv'],
  ])('suggests the equivalent of other programs: %s', async (line, meant) => {
    const { code, err } = await ran(...line.split(' '));
    expect({ code, hint: err.split('\n')[1] }).toEqual({ code: 2, hint: `did you mean ${meant}?` });
  });

  it('says what to do without an option that other programs have', async () => {
    const rows = [
      ['notes list !1 --no-color', 'set NO_COLOR=1 to print without colors'], ['notes list !1 --no-pager', 'set PAGER=cat to print without a pager'],
      ['notes add !1 --edit-last -m x', 'use `colloquy notes upsert --key KEY`: it updates its own comment'],
      ['discussions reply !1 --thread 1ce5 -m x', 'pass the thread as an argument; usage: colloquy discussions reply [ref] [thread]'],
      ['notes edit !1 --note 3 -m x', 'pass the note as an argument; usage: colloquy notes edit [ref] [note]'],
      ['notes post !1 --from sarif --file x', 'pass the report as an argument; usage: colloquy notes post [ref] [report]'],
      ['epics apply &1 --file x', 'pass the file as an argument; usage: colloquy epics apply <epic> [file]'],
    ] as const;
    await everyRow(rows, ([line]) => line, async ([line, hint]) => {
      expect((await said(...line.split(' '))).err.split('\n')[1]).toBe(hint);
    });
  });

  it('suggests no option that has another name for another purpose', async () => {
    const rows = [
      'notes add !1 --web', 'discussions list !1 --branch x', 'discussions list !1 --assignee x', 'notes list !1 --comments',
      'discussions create !1 --title x', 'discussions create !1 --description x', 'notes add !1 --reviewer x', 'notes post !1 --label x',
      'notes edit !1 3 --resolved', 'notes upsert !1 --key k --note x',
    ];
    await everyRow(rows, (line) => line, async (line) => {
      expect((await said(...line.split(' '))).err).toMatch(/^colloquy: unknown option "--[a-z]+"\nrun with --help for usage\n$/);
    });
  });

  it.each(['-X', '--method', '--request'])('suggests the equivalent of flags of other programs: api %s', async (flag) => {
    expect(await said('api', flag, 'PUT', 'application/appearance')).toEqual(told(`colloquy: unknown option "${flag}"`,
      'pass the method as an argument; usage: colloquy api <method> <path>'));
  });

  it('suggests them after help too, in place of the help of the noun', async () => {
    expect(await said('help', 'auth', 'foo')).toEqual(told('colloquy: unknown command "foo"',
      'use one of: login, logout, status, switch, token; --help shows more'));
    expect(await said('help', 'discussions', 'show')).toEqual(told('colloquy: unknown command "show"', 'did you mean get?'));
    expect(await said('help', 'notes', 'ad')).toEqual(told('colloquy: unknown command "ad"', 'did you mean add?'));
    for (const line of ['help notes add', 'help notes --json', 'help serve', 'help notes']) expect(await ran(...line.split(' '))).toMatchObject({ code: 0 });
  });

  it('lists the commands after an unknown word', async () => {
    for (const word of ['constructor', '__proto__', 'toString']) expect(await ran(word)).toMatchObject({ code: 2, out: '' });
    expect(await ran('discussions', 'list', 'constructor/1')).toMatchObject({ code: 2, err: expect.stringContaining('forms: ') as string });
    expect(await said('notes', 'paint')).toEqual(told('colloquy: unknown command "paint"',
      'use one of: list, add, edit, delete, resolve, unresolve, upsert, post, exec; --help shows more'));
  });

  it('suggests --version for the version flags of other programs', async () => {
    for (const word of ['-v', '-V', 'version']) {
      expect(await ran(word)).toMatchObject({ code: 2, err: expect.stringMatching(/\ndid you mean --version\?\n$/) as string });
    }
  });
});

describe('mistyped words', () => {
  it.each([[['discusions', 'list'], 'discussions'], [['discussions', 'lst'], 'list'], [['discussions', 'list', '--limt', '3'], '--limit'],
    [['docter'], 'doctor'],
    [['help', 'exit-code'], 'exit-codes']])('%j: did you mean %s?', async (words, meant) => {
    expect(await ran(...words)).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${meant}?`) as string });
  });
});

describe('a hint about an unknown command', () => {
  it.each([
    [['epics', 'trees'], 'did you mean tree?'], [['epics', 'shwo'], 'use one of: list, tree, assign, create'],
    [['epics', 'lits'], 'did you mean list?'], [['epics', 'asign'], 'did you mean assign?'], [['notes', 'delte'], 'did you mean delete?'],
    [['epics', 'read'], 'use one of: list,'],
  ])('names no write for a word that is not nearly its name: %j', async (words, hint) => {
    const { code, err } = await ran(...words);
    expect(code).toBe(2);
    expect(err).toContain(hint);
  });
});
