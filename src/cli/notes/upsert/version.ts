import type { Marker } from '../../../wire/marker.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { firstFound } from '../../service/settings/sources.js';

/** The number of a pipeline, which its project counts, or a time. */
export interface Version {
  readonly value: string;
  readonly project: string;
}

export const versionOf = ({ env }: App, newerThan?: string): Version | null => {
  const found = firstFound([newerThan, '--newer-than'], [env['CI_PIPELINE_IID'], 'CI_PIPELINE_IID']);
  if (found === null) return null;
  const { value, from } = found;
  if (isNumber(value) || readInstant(value)) return { value, project: env['CI_PROJECT_ID'] ?? '' };
  throw usage(`invalid value ${JSON.stringify(value)} for ${from}`,
    'use a whole number, such as a pipeline number, or a time: 2024-05-01T12:00:00Z');
};

export const versionIn = ({ newer, project = '' }: Marker): Version | null =>
  newer === undefined ? null : { value: newer, project };

export const versionValues = (version: Version | null): Marker => {
  if (version === null) return {};
  const { value, project } = version;
  return { newer: value, ...(project !== '' && { project }) };
};

/** Numbers of different projects, and texts that are neither numbers nor times, cannot be compared. */
export const isHigher = (one: Version | null, other: Version | null): boolean => {
  if (one === null || other === null) return false;
  if (isNumber(one.value) && isNumber(other.value)) {
    return one.project === other.project && BigInt(one.value) > BigInt(other.value);
  }
  const [time, otherTime] = [timeOf(one), timeOf(other)];
  return time !== undefined && otherTime !== undefined && time > otherTime;
};

export const highestOf = (first: Version | null, others: readonly (Version | null)[]): Version | null =>
  others.reduce((highest, other) => highest === null || isHigher(other, highest) ? other ?? highest : highest, first);

const isNumber = (text: string): boolean => /^\d{1,30}$/.test(text);

const timeOf = ({ value }: Version): string | undefined => isNumber(value) ? undefined : readInstant(value)?.iso;
