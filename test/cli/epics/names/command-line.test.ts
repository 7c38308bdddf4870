import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandLine } from '../../../../src/cli/epics/names.js';

it('is read by a shell as the words that it was made from', () => {
  const words = ['epics', 'assign', 'acme/a&1', 'id:5', "it's", '$(x) `y` "z" \\', 'a;b|c>d', '~', '*', '', '#1', '&4', 'a\nb', '=x', 'http://h/?a=1&b=2'];
  const line = commandLine(words, { url: 'http://h/a b', profile: 'my "work"' });
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(['colloquy', ...words, '--url', 'http://h/a b', '--profile', 'my "work"']);
});

it('has quotes only where a shell needs them', () => {
  expect(commandLine(['epics', 'reorder', 'acme&1', 'id:5', '--order', 'id:1,id:2'], {})).toBe("colloquy epics reorder 'acme&1' id:5 --order id:1,id:2");
});
