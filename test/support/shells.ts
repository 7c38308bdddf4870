import { spawnSync } from 'node:child_process';
import { isAll } from './extent.js';

/** Whether tests run a shell: in `npm run test:all`, where it is installed. */
export const hasShell = (name: 'bash' | 'fish' | 'zsh'): boolean =>
  isAll && spawnSync(name, ['--version']).error === undefined;
