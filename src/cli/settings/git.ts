import { execFile } from 'node:child_process';
import type { Remote } from './remotes.js';

/** The remotes of the git work tree around; none where there is no git or no work tree. No shell has a part in it. */
export const gitRemotes = (): Promise<readonly Remote[]> => new Promise((resolve) => {
  execFile('git', ['remote', '--verbose'], { timeout: 2_000 }, (error, stdout) => {
    resolve(error ? [] : remotesIn(stdout));
  });
});

/** What `git remote --verbose` prints: name, tab, address, and whether it is fetched from or pushed to. */
export const remotesIn = (text: string): Remote[] => text.split('\n').flatMap((line) => {
  const [, name, url] = /^(\S+)\t(.+) \(fetch\)(?: \[.*\])?$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, url: url! }];
});
