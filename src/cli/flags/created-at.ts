import type { Command } from 'commander';
import { contract } from '../../contract/contract.js';

/** When a note is to have been written. */
export interface CreatedAtFlag { readonly createdAt?: string }

/** The option behind `CreatedAtFlag`; the service checks the value. */
export const withCreatedAt = (command: Command): Command =>
  command.option('--created-at <time>', contract.discussions.issue.create.params.created_at.text);
