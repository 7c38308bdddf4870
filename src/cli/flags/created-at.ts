import { InvalidArgumentError, Option, type Command } from 'commander';
import { contract } from '../../contract/contract.js';
import { isDay } from '../filters/when.js';

/** When a note is to have been written. */
export interface CreatedAtFlag { readonly createdAt?: string }

/** The option behind `CreatedAtFlag`. For what is no time the service takes the present one (wire-facts 4.5.9). */
export const withCreatedAt = (command: Command): Command => command.addOption(
  new Option('--created-at <time>', contract.discussions.issue.create.params.created_at.text).argParser(instant));

const instant = (text: string): string => {
  const day = written.exec(text)?.[1];
  if (day !== undefined && isDay(day)) return text;
  throw new InvalidArgumentError('forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00');
};

/** A day, a time of the day where it is given, and its zone. */
const written = new RegExp('^(\\d{4}-\\d\\d-\\d\\d)'
  + '(?:[T ](?:[01]\\d|2[0-4])(?::[0-5]\\d){1,2}(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d(?::?\\d\\d)?)?)?$');
