import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { standalonePlaces, standaloneProgram } from '../support/standalone.js';

const ofNode = /^(?:node|nodejs|npm|npx|corepack)$/;

/** Puts the program where the tests expect it. */
export const setup = (): void => {
  const { program, path } = standalonePlaces;
  rmSync(dirname(program), { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  copyFileSync(standaloneProgram()!, program);
  for (const folder of process.env['PATH']!.split(delimiter).filter((one) => existsSync(one))) {
    for (const name of readdirSync(folder).filter((one) => !ofNode.test(one))) {
      if (!existsSync(join(path, name))) symlinkSync(join(folder, name), join(path, name));
    }
  }
};
