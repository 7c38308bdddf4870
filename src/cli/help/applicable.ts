import type { Command, Option } from 'commander';
import { commandPath } from '../command-line/command.js';

/** Commands that send no requests. */
const local: ReadonlySet<string> = new Set([
  'saved list', 'saved show', 'saved delete', 'auth switch', 'config get', 'config set', 'config unset', 'config list',
  'config path', 'completion',
]);

/** Commands that send no changes of their own and ask for no confirmation. */
const reading: ReadonlySet<string> = new Set([
  'discussions list', 'discussions get', 'discussions view', 'discussions check', 'discussions inbox',
  'discussions watch', 'discussions lines', 'discussions export', 'notes list', 'saved list', 'saved show',
  'appearance get', 'appearance diff', 'appearance preview', 'epics list', 'epics tree', 'auth status', 'auth token',
  'config get', 'config list', 'config path', 'completion', 'doctor', 'serve', 'mcp',
]);

const ofRequests = new Set([
  '--url', '--token', '--project', '--group', '--timeout', '--retries', '--sandbox', '--ca-cert', '--client-cert',
  '--client-key',
]);
const ofChanges = new Set(['--yes', '--dry-run']);
const ofLists = new Set(['--all', '--limit']);

/** Commands that print lists, beside those whose cells can be made safe for spreadsheets. */
const listing: ReadonlySet<string> = new Set(['api', 'discussions view']);

/** Whether a global option can have an effect on the command, which takes it in any case. */
export const canApply = (command: Command, { long }: Option): boolean => {
  const path = commandPath(command);
  if (ofRequests.has(long!)) return !local.has(path);
  if (ofChanges.has(long!)) return !reading.has(path);
  return !ofLists.has(long!) || listing.has(path) || command.options.some((own) => own.long === '--csv-safe');
};
