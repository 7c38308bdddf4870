import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ran } from '../../../support/app.js';

/** Whether PowerShell is installed, and a shell for the stand-in program. */
const isHere = process.platform !== 'win32' && spawnSync('pwsh', ['-v']).error === undefined;
const script = async () => (await ran('completion', 'powershell')).out;
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** The candidates of PowerShell at the | of a line, the arguments it passes to the program, and the last exit code. */
const completed = async (line: string, answer: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-powershell-'));
  try {
    const asked = join(folder, 'asked');
    writeFileSync(join(folder, 'colloquy'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${asked}'\nprintf '${answer}'\n`, { mode: 0o700 });
    writeFileSync(join(folder, 'asks.ps1'), `${await script()}
      Set-StrictMode -Version Latest
      $global:LASTEXITCODE = 5
      $found = TabExpansion2 ${text(line.replace('|', ''))} ${line.indexOf('|')}
      $texts = @($found.CompletionMatches | Where-Object ResultType -eq 'ParameterValue' | ForEach-Object CompletionText)
      ConvertTo-Json -Compress @{ texts = $texts; from = $found.ReplacementIndex; code = $LASTEXITCODE }`);
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, POWERSHELL_TELEMETRY_OPTOUT: '1' };
    const { stdout } = spawnSync('pwsh', ['-NoProfile', '-NonInteractive', '-File', join(folder, 'asks.ps1')], { cwd: folder, env, encoding: 'utf8' });
    const { texts, from, code } = JSON.parse(stdout) as { texts: string[]; from: number; code: number };
    const words = spawnSync('cat', [asked], { encoding: 'utf8' }).stdout.split('\n').slice(0, -1);
    expect(readdirSync(folder).filter((name) => ['x', 'y'].includes(name)), 'files created by the line').toEqual([]);
    return { whole: texts.map((one) => line.slice(0, from) + one), asked: words, code };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const where = <T>(lines: readonly T[]): readonly T[] => isHere ? lines : [];

describe('completion in PowerShell', () => {
  it('the script lists each flag that takes the next word once', async () => {
    const taking = /^ {2}\$taking = @\((.*)\)$/m.exec(await script())?.[1]?.split(', ');
    expect(taking).toEqual(expect.arrayContaining(["'--project'", "'-p'", "'-m'", "'--output'"]));
    for (const flag of ["'--json'", "'--all'", "'-h'"]) expect(taking).not.toContain(flag);
    expect(new Set(taking).size).toBe(taking?.length);
  });

  it('PowerShell itself escapes quotes, because several characters are quotes there', async () => {
    expect(await script()).toMatch(/\$content = .*::EscapeSingleQuotedStringContent\(\$value\)/);
  });

  it.each(where([
    ['colloquy notes l|', ['colloquy notes list']],
    ['colloquy notes | list mr/1', ['list', 'add', 'edit', 'delete', 'resolve', 'unresolve', 'upsert', 'post', 'exec'].map((verb) => `colloquy notes ${verb}`)],
    ['colloquy --profile notes auth to|', ['colloquy --profile notes auth token']],
    ['colloquy --project |', []],
    ['colloquy notes list -o nd|', ['colloquy notes list -o ndjson']],
    ['colloquy notes list --output=nd|', ['colloquy notes list --output=ndjson']],
    ["colloquy 'no|", ["colloquy 'notes'"]],
  ]))('completes %s without calling the program', async (line, whole) => {
    expect(await completed(line, 'never\\n')).toEqual({ whole, asked: [], code: 5 });
  });

  it.each(where([
    ["colloquy discussions get '&1' |", 'aa\\tone\\n', ['aa'], ['', 'discussions', 'get', '&1']],
    ['colloquy discussions get `#1 a|', 'aa\\tone\\n', ['aa'], ['a', 'discussions', 'get', '#1']],
    ["colloquy discussions get 'm|", 'mr/1\\t\\n', ["'mr/1'"], ['m', 'discussions', 'get']],
    ['colloquy auth switch |', "my home\\t\\nit's\\t\\n".replace("'", "'\\''"), ["'my home'", "'it''s'"], ['', 'auth', 'switch']],
    ['colloquy notes add mr/1 --file d|', 'd\u2019;cat y;\u2019\t\n', ["'d\u2019\u2019;cat y;\u2019\u2019'"], ['d', 'notes', 'add', 'mr/1', '--file']],
    ['colloquy notes add mr/1 --file d,|', 'd,;New-Item y\t\nd,e\t\n', ['d,e'], ['d,', 'notes', 'add', 'mr/1', '--file']],
    ['colloquy auth status --profile=m|', 'my home\\t\\n', ["--profile='my home'"], ['--profile=m', 'auth', 'status']],
    ['colloquy notes list --json=id,b|', 'id,body\\t\\n', ['--json=id,body'], ['--json=id,b', 'notes', 'list']],
    ['colloquy notes list --json=id,|', 'id,body\\t\\n', ['--json=id,body'], ['--json=id,', 'notes', 'list']],
    ["colloquy notes add -m 'say \"a b\"' '' mr/1 --thread |", 'aa\\t\\n', ['aa'], ['', 'notes', 'add', '-m', "say 'a b'", "''", 'mr/1', '--thread']],
    ['colloquy notes add -m $(New-Item x) "`$(New-Item y)" a`;b mr/1 --thread |', 'aa\\t\\n', ['aa'],
      ['', 'notes', 'add', '-m', '$(New-Item x)', '$(New-Item y)', 'a;b', 'mr/1', '--thread']],
  ] as const))('completes %s by calling the program, and executes none of it', async (line, answer, values, [last, ...words]) => {
    const before = /^.* /.exec(line.replace('|', '').replace(/'m$/, ''))?.[0] ?? '';
    expect(await completed(line, answer)).toEqual({
      whole: values.map((value) => before + value), asked: ['__complete', `--last=${last}`, '--', ...words], code: 5,
    });
  });
});
