import { InvalidArgumentError, Option, type Command } from 'commander';
import { contract } from '../../contract/contract.js';
import { readInstant } from '../../wire/instants.js';

/** When a note is to have been written. */
export interface CreatedAtFlag { readonly createdAt?: string }

/** The option behind `CreatedAtFlag`. For what is no time the service takes the present one (wire-facts 4.5.9). */
export const withCreatedAt = (command: Command): Command => command.addOption(
  new Option('--created-at <time>', contract.discussions.issue.create.params.created_at.text).argParser(time));

/** The text itself is sent: the service reads the same forms. */
const time = (text: string): string => {
  if (readInstant(text)) return text;
  throw new InvalidArgumentError('forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00');
};
