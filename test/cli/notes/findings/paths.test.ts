import { describe, expect, it } from 'vitest';
import { isInside, pathBelow } from '../../../../src/cli/notes/findings/paths.js';

describe('pathBelow', () => {
  it.each([
    ['/builds/acme/app/src/a.js', 'src/a.js'], ['file:///builds/acme/app/src/my%20file.js', 'src/my file.js'],
    ['file:/builds/acme/app/a.js', 'a.js'], ['file://localhost/builds/acme/app/a.js', 'a.js'],
    ['./src/../src/a.js', 'src/a.js'], ['src/a.js', 'src/a.js'], ['/builds/acme/application/a.js', '/builds/acme/application/a.js'],
    ['src\\a.js', 'src/a.js'], ['../a.js', '../a.js'], ['/builds/acme/app/../../../etc/passwd', '/etc/passwd'],
    ['file:///builds/acme/app/100%.js', '100%.js'],
  ])('%s → %s', (given, expected) => {
    expect(pathBelow('/builds/acme/app/', given)).toBe(expected);
  });

  it('reads Windows paths', () => {
    expect(pathBelow('C:\\builds\\app', 'file:///C:/builds/app/src/a.js')).toBe('src/a.js');
    expect(pathBelow('C:\\builds\\app', 'C:\\builds\\app\\src\\a.js')).toBe('src/a.js');
  });
});

it('isInside is false for paths that leave the repository', () => {
  expect(['a.js', '..a/b', 'src/a'].map(isInside)).toEqual([true, true, true]);
  expect(['', '/etc/passwd', '../a', '..', 'C:/a'].map(isInside)).toEqual([false, false, false, false, false]);
});
