import type { Command } from 'commander';
import type { App } from '../../app.js';
import { flagsOf, verb } from '../../flags/command.js';
import { printValue } from '../../output/value.js';

export const configPathCommand = (app: App): Command =>
  verb('path', 'print where profiles are kept', ['config path', 'ls -l "$(colloquy config path)"'])
    .action((_, command: Command) => printValue(app, flagsOf<object>(command), app.profiles.path));
