import { KindGuard } from '@sinclair/typebox';
import { Option } from 'commander';
import type { Parameter } from '../../../contract/endpoint.js';
import { usage } from '../errors/failure.js';

const shortNames: Readonly<Record<string, string>> = { email_header_and_footer_enabled: 'email-header-and-footer' };

/** `header_logo` becomes `header-logo`. */
export const flagName = (field: string): string => shortNames[field] ?? field.replaceAll('_', '-');

/** As commander names it: `headerLogo`. */
export const optionName = (field: string): string =>
  flagName(field).replace(/-(.)/g, (_, c: string) => c.toUpperCase());

/** A boolean may omit its value, a file takes a path. */
export const flagFor = (field: string, { shape, text }: Parameter): Option => {
  const flag = `--${flagName(field)}`;
  if (KindGuard.IsBoolean(shape)) {
    return new Option(`${flag} [true|false]`, text).argParser((value) => parseBoolean(flag, value));
  }
  return new Option(`${flag} ${isFile(shape) ? '<path>' : '<text>'}`, text);
};

const isFile = (shape: Parameter['shape']): boolean => shape['format'] === 'binary';

const parseBoolean = (flag: string, value: string): boolean => {
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  throw usage(`invalid value ${JSON.stringify(value)} for ${flag}`, 'use =true or =false');
};
