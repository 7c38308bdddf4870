import type { Marker } from '../../../wire/marker.js';
import type { App } from '../../app.js';
import { isHigher, versionIn, type Version } from '../upsert/version.js';

/** Null outside of CI. */
export const jobPipeline = ({ env }: App): Version | null => {
  const iid = env['CI_PIPELINE_IID'] ?? '';
  return /^[1-9]\d{0,14}$/.test(iid) ? { value: iid, project: env['CI_PROJECT_ID'] ?? '' } : null;
};

/** Null outside of CI. Jobs of a matrix have different ones. */
export const jobName = ({ env }: App): string | null => env['CI_JOB_NAME'] || null;

/** Of the same project; null if there is none. */
export const newestPipeline = (markers: readonly Marker[], { project }: Version): Version | null =>
  markers.map(versionIn).filter((version) => version?.project === project)
    .reduce((newest, version) => newest === null || isHigher(version, newest) ? version : newest, null);
