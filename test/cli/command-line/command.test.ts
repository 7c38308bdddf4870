import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { valuesAfterEquals } from '../../../src/cli/command-line/command.js';

const parsed = (...argv: string[]) => {
  const command = valuesAfterEquals(new Command()).exitOverride().configureOutput({ writeErr: () => undefined })
    .option('-j, --json [fields]').option('-m, --message <text>').option('-y, --yes').argument('[words...]');
  command.parse(argv, { from: 'user' });
  return { ...command.opts(), words: command.args };
};

describe('an option with an optional value', () => {
  it('takes the value after its equals sign', () => {
    expect(parsed('--json=a,b', 'x')).toEqual({ json: 'a,b', words: ['x'] });
  });

  it('leaves the next word alone', () => {
    expect(parsed('--json', 'x')).toEqual({ json: '', words: ['x'] });
    expect(parsed('x', '--json')).toEqual({ json: '', words: ['x'] });
    expect(parsed('-j', 'x')).toEqual({ json: '', words: ['x'] });
  });

  it('is not recognized where it is the value of another option, in long, short and joined form', () => {
    expect(parsed('-m', '--json')).toEqual({ message: '--json', words: [] });
    expect(parsed('--message', '--json')).toEqual({ message: '--json', words: [] });
    expect(parsed('-ym', '--json')).toEqual({ yes: true, message: '--json', words: [] });
    expect(parsed('-mtext', '--json', 'x')).toEqual({ message: 'text', json: '', words: ['x'] });
    expect(parsed('--message=text', '--json', 'x')).toEqual({ message: 'text', json: '', words: ['x'] });
  });

  it('is not recognized after two dashes', () => {
    expect(parsed('--', '--json')).toEqual({ words: ['--json'] });
  });
});
