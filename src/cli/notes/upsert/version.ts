import type { Marker } from '../../../wire/note-text.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { firstFound } from '../../service/settings/sources.js';

export interface RunVersion {
  readonly value: string;
  readonly project: string;
}

export const runVersion = ({ env }: App, newerThan?: string): RunVersion | null => {
  const found = firstFound([newerThan, '--newer-than'], [env['CI_PIPELINE_IID'], 'CI_PIPELINE_IID']);
  if (found === null) return null;
  const { value, from } = found;
  if (isNumber(value) || readInstant(value)) return { value, project: env['CI_PROJECT_ID'] ?? '' };
  throw usage(`invalid value ${JSON.stringify(value)} for ${from}`,
    'use a whole number, such as a pipeline number, or a time: 2024-05-01T12:00:00Z');
};

export const versionIn = ({ newer, project = '' }: Marker): RunVersion | null =>
  newer === undefined ? null : { value: newer, project };

export const versionValues = (version: RunVersion | null): Marker => {
  if (version === null) return {};
  const { value, project } = version;
  return { newer: value, ...(project !== '' && { project }) };
};

/** Numbers of different projects, and texts that are neither numbers nor times, cannot be compared. */
export const isHigher = (one: RunVersion | null, other: RunVersion | null): boolean => {
  if (one === null || other === null) return false;
  if (isNumber(one.value) && isNumber(other.value)) {
    return one.project === other.project && BigInt(one.value) > BigInt(other.value);
  }
  const [time, otherTime] = [versionTime(one), versionTime(other)];
  return time !== undefined && otherTime !== undefined && time > otherTime;
};

export const highestOf = (first: RunVersion | null, others: readonly (RunVersion | null)[]): RunVersion | null =>
  others.reduce((highest, other) => highest === null || isHigher(other, highest) ? other ?? highest : highest, first);

const isNumber = (text: string): boolean => /^\d{1,30}$/.test(text);

const versionTime = ({ value }: RunVersion): string | undefined =>
  isNumber(value) ? undefined : readInstant(value)?.iso;
