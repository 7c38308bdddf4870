import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { imageFields } from '../../../../src/contract/appearance.js';
import { contract } from '../../../../src/contract/contract.js';
import { flagFor, flagName, optionName } from '../../../../src/cli/command-line/flags.js';

const { params } = contract.appearance.set;

/** The value of a field after a command line. */
const parsed = (field: keyof typeof params, ...argv: string[]) => {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined }).addOption(flagFor(field, params[field]));
  return command.parse(argv, { from: 'user' }).opts()[optionName(field)] as unknown;
};

describe('the flag of a field', () => {
  it.each([
    ['title', 'title', 'title'], ['header_logo', 'header-logo', 'headerLogo'],
    ['message_background_color', 'message-background-color', 'messageBackgroundColor'],
    ['email_header_and_footer_enabled', 'email-header-and-footer', 'emailHeaderAndFooter'],
  ])('of %s is --%s', (field, flag, option) => {
    expect([flagName(field), optionName(field)]).toEqual([flag, option]);
  });

  it('has the name under which commander stores its value, for every field of the appearance', () => {
    for (const [field, parameter] of Object.entries(params)) {
      expect(flagFor(field, parameter).attributeName(), field).toBe(optionName(field));
    }
  });

  it('has a value of its own kind: a path for an image, a text for all others, an optional one for a switch', () => {
    const flags = (field: keyof typeof params) => flagFor(field, params[field]).flags;
    expect([flags('logo'), flags('title'), flags('email_header_and_footer_enabled')])
      .toEqual(['--logo <path>', '--title <text>', '--email-header-and-footer [true|false]']);
    expect(Object.entries(params).filter(([, { shape }]) => shape['format'] === 'binary').map(([name]) => name).sort())
      .toEqual([...imageFields].sort());
  });
});

describe('a switch', () => {
  const field = 'email_header_and_footer_enabled';
  const flag = '--email-header-and-footer';

  it.each([['=true', true], ['=', true], ['=false', false]])('given as %j is %s', (value, expected) => {
    expect(parsed(field, `${flag}${value}`)).toBe(expected);
  });

  it.each(['TRUE', 'yes', '0', 'fals', ' true'])('is no other word: %j', (value) => {
    expect(() => parsed(field, `${flag}=${value}`)).toThrow(`invalid value ${JSON.stringify(value)} for ${flag}`);
  });

  it('is undefined unless it is given', () => {
    expect(parsed(field)).toBeUndefined();
  });
});
