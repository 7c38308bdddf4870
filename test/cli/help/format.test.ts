import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../../support/app.js';

it('the options of a command fit on a narrow terminal, wrapped beside their names', async () => {
  const { out } = await ranIn({ terminal: true, columns: 60 }, 'discussions', 'list', '--help');
  const options = out.slice(out.indexOf('Arguments:')).split('\n');
  expect(options.filter((line) => line.length > 60)).toEqual([]);
  expect(out).toMatch(/--path <path> {2,}only those on this file, in\n {20,}this folder/);
});

describe('the layout of help', () => {
  const globals = 'Global options: --url, --project, --json, … (list them with --help --all)\n';

  it('shows the examples of a command directly after the usage line, and its fields after its options', async () => {
    const { out } = await ran('discussions', 'reply', '--help');
    expect(out.slice(0, out.indexOf('Arguments:')).split('\n')).toEqual([
      'Usage: colloquy discussions reply [options] [ref] [thread]', '',
      'Examples:', '  colloquy discussions reply mr/12 0287db -m "Done."', '  git log -1 --format=%B | colloquy discussions reply mr/12 0287db', '',
      'add a note to a thread', '', '']);
    expect(out.indexOf('Options:')).toBeLessThan(out.indexOf('Fields for --json:'));
  });

  it('shows the global options on one line, and lists them with --all', async () => {
    for (const words of [['notes', 'add'], ['doctor'], ['notes'], []]) {
      const [short, long] = [(await ran(...words, '--help')).out, (await ran(...words, '--help', '--all')).out];
      expect(short, words.join(' ')).toContain(`\n${globals}`);
      expect(short, words.join(' ')).not.toContain('--client-cert');
      expect(long, words.join(' ')).toMatch(/^Global options:\n {2}--url <url> {2,}base URL of the service\n/m);
      expect(long, words.join(' ')).not.toContain(globals);
      expect((await ran(...words, '--all', '-h')).out).toBe(long);
    }
    expect((await ran('help', 'notes', 'add', '--all')).out).toBe((await ran('notes', 'add', '--help', '--all')).out);
  });

  it('groups the commands by purpose', async () => {
    const { out } = await ran('--help');
    const groups = [...out.matchAll(/^([A-Z][a-z]+):\n((?: {2}.*\n)+)/gm)]
      .map(([, heading, rows]) => [heading, rows!.match(/^ {2}\w+/gm)!.map((row) => row.trim())]);
    expect(groups.slice(0, 4)).toEqual([['Discuss', ['discussions', 'notes', 'saved']], ['Administer', ['appearance', 'epics']],
      ['Configure', ['auth', 'config', 'doctor', 'completion']], ['Tools', ['serve', 'api', 'mcp', 'conformance', 'help']]]);
  });

  it('is printed for a call without arguments', async () => {
    expect(await ran()).toEqual(await ran('--help'));
    expect(await ran()).toMatchObject({ code: 0, err: '' });
  });
});
