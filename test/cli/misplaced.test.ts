import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../support/app.js';

const said = async (...argv: string[]) => {
  const { code, out, err } = await ran(...argv);
  return { code, out, err };
};
const told = (...lines: string[]) => ({ code: 2, out: '', err: lines.map((line) => `${line}\n`).join('') });

describe('words in the wrong place', () => {
  it('are those of --json where its fields stand apart, as other programs take them', async () => {
    for (const argv of [['discussions', 'list', '!1', '--json', 'id'], ['discussions', 'list', '--json', 'id'],
      ['discussions', 'get', '!1', '--json', 'id'], ['notes', 'list', '--json', 'id', '!1']]) {
      const { code, out, err } = await ran(...argv);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(JSON.parse(err)).toMatchObject({ error: {
        code: 'usage', message: '--json takes its value behind an equals sign', hint: 'write it as --json=id',
      } });
    }
  });

  it('are those of --json in a merge request\'s job too, where a reference need not be given', async () => {
    const { code, err } = await ranIn({ env: { CI_MERGE_REQUEST_IID: '1' } }, 'discussions', 'get', '--json', 'id,notes');
    expect(code).toBe(2);
    expect(JSON.parse(err)).toMatchObject({ error: { hint: 'write it as --json=id,notes' } });
  });

  it('are no fields when they are a reference', async () => {
    expect(await ran('discussions', 'list', '--json', '!1')).toMatchObject({ code: 0, err: '' });
  });

  it('may belong to another flag', async () => {
    expect(await said('appearance', 'set', '--email-header-and-footer', 'maybe')).toEqual(told(
      'colloquy: --email-header-and-footer takes its value behind an equals sign',
      'write it as --email-header-and-footer=maybe'));
  });

  it('that are too many are named', async () => {
    expect(await said('discussions', 'list', '!1', 'more', 'words')).toEqual(told(
      'colloquy: "more" and "words" are too much', 'it goes: colloquy discussions list [ref]'));
    expect(await said('appearance', 'get', '!1')).toEqual(told('colloquy: "!1" is too much', 'it goes: colloquy appearance get'));
    expect(await said('-p', 'x', 'doctor', '--url', 'y', 'z')).toEqual(told('colloquy: "z" is too much', 'it goes: colloquy doctor'));
  });

  it('that are missing are named, with what they may be', async () => {
    expect(await said('epics', 'assign', '&1')).toEqual(told(
      'colloquy: <child> is missing', 'it goes: colloquy epics assign <epic> <child>'));
    expect(await said('completion')).toEqual(told('colloquy: <shell> is missing',
      'it goes: colloquy completion <shell>; choices: bash, zsh, fish, powershell'));
    expect(await said('api', 'user')).toEqual(told('colloquy: <path> is missing', 'it goes: colloquy api <method> <path>'));
  });

  it('ask for the version in the ways of other programs', async () => {
    for (const word of ['-v', '-V', 'version']) {
      expect(await ran(word)).toMatchObject({ code: 2, err: expect.stringMatching(/\ndid you mean --version\?\n$/) as string });
    }
  });
});
