import { spawnSync } from 'node:child_process';

/** The Chromium of this machine; undefined if there is none. */
export const chromium = (): string | undefined => ['chromium', 'chromium-browser', 'google-chrome'].find((name) =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
