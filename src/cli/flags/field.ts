import { KindGuard } from '@sinclair/typebox';
import { Option } from 'commander';
import type { Parameter } from '../../contract/endpoint.js';
import { usage } from '../errors/failure.js';

/** Flags whose name says more than the field's. */
const shorter: Readonly<Record<string, string>> = { email_header_and_footer_enabled: 'email-header-and-footer' };

/** The flag's name for a parameter of the contract: `header_logo` becomes `header-logo`. */
export const flagName = (field: string): string => shorter[field] ?? field.replaceAll('_', '-');

/** The name under which commander hands the flag's value over: `headerLogo`. */
export const optionName = (field: string): string =>
  flagName(field).replace(/-(.)/g, (_, c: string) => c.toUpperCase());

/** The option for one parameter of the contract; a truth value may be left out, a file is named by its path. */
export const flagFor = (field: string, { shape, text }: Parameter): Option => {
  const flag = `--${flagName(field)}`;
  if (KindGuard.IsBoolean(shape)) {
    return new Option(`${flag} [true|false]`, text).argParser((value) => truth(flag, value));
  }
  return new Option(`${flag} ${isFile(shape) ? '<path>' : '<text>'}`, text);
};

/** Whether a parameter is a file. */
export const isFile = (shape: Parameter['shape']): boolean => shape['format'] === 'binary';

const truth = (flag: string, value: string): boolean => {
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  throw usage(`invalid value ${JSON.stringify(value)} for ${flag}`, 'use =true or =false');
};
