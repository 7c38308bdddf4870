import { plainLine } from '../../../text/plain.js';
import type { Marker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { highestOf, versionIn, versionValues, type RunVersion } from '../upsert/plan.js';
import { shortHash } from './fingerprint.js';
import { isBelow } from './paths.js';

/** Who posts, as far as the CI service names it. */
export interface Poster {
  readonly pipeline: RunVersion | null;
  /** The name in GitLab CI, which default keys start with. */
  readonly job: string | null;
  /** A name that the job has in the next run too; null outside of CI, where a person decides. */
  readonly name: string | null;
  /** The pipeline, one run of the job, and its command, for the case that the job posts several reports. */
  readonly report: string | null;
  /** The folder whose threads this run resolves; empty for all. */
  readonly folder: string;
}

/** Jobs of a matrix have different names in GitLab CI only. */
const services = [
  { name: ['CI_JOB_NAME'], pipeline: ['CI_PIPELINE_IID', 'CI_PROJECT_ID'], run: ['CI_JOB_ID'] },
  { name: ['GITHUB_WORKFLOW', 'GITHUB_JOB'], pipeline: ['GITHUB_RUN_ID'], run: ['GITHUB_RUN_ATTEMPT'] },
  { name: ['JOB_NAME', 'STAGE_NAME'], pipeline: ['BUILD_TAG'], run: ['BUILD_TAG'] },
] as const;

export const jobName = ({ env }: Pick<App, 'env'>): string | null => env['CI_JOB_NAME'] || null;

/** @param call a digest of the command; a job that is retried may name its files otherwise */
export const posterOf = ({ env }: Pick<App, 'env'>, call: string, folder: string): Poster => {
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => env[name] || []);
  const service = services.find(({ run }) => valuesOf(run).length === run.length);
  const names = valuesOf(service?.name ?? []);
  return {
    pipeline: jobPipeline(env), job: jobName({ env }), name: names.join('/') || null, folder,
    report: service === undefined ? null
      : [shortHash(...valuesOf(service.pipeline)), shortHash(...names, ...valuesOf(service.run)), call].join('.'),
  };
};

const jobPipeline = (env: App['env']): RunVersion | null => {
  const iid = env['CI_PIPELINE_IID'] ?? '';
  return /^[1-9]\d{0,14}$/.test(iid) ? { value: iid, project: env['CI_PROJECT_ID'] ?? '' } : null;
};

export const posterValues = ({ pipeline, job, report, folder }: Poster): Marker => ({
  ...versionValues(pipeline), ...(job !== null && { job }), ...(report !== null && { report }),
  ...(folder !== '' && { folder }),
});

const valueNames: readonly string[] = ['newer', 'project', 'job', 'report', 'folder'];

export const withPoster = (marker: Marker, poster: Poster): Marker => {
  const others = Object.entries(marker).filter(([name]) => !valueNames.includes(name));
  return { ...Object.fromEntries(others), ...posterValues(poster) };
};

/** Whether the marker has the values of this run, or a run outside of CI has none to store. */
export const isOfReport = (marker: Marker, poster: Poster): boolean => {
  const values = posterValues(poster);
  return (poster.pipeline === null && poster.report === null)
    || valueNames.every((name) => marker[name] === values[name]);
};

/** The names of the jobs that found the finding of a thread; versions up to 0.1.0 stored none. */
export const jobsIn = ({ by = '' }: Marker): string[] => by === '' ? [] : by.split('\n');

/** No other job has a key that starts with the name of this one, unless it continues its threads on purpose. */
export const jobValues = ({ job, name }: Poster, key: string, found: readonly string[] = []): Marker => {
  const isOwnKey = job !== null && key.startsWith(`${job}/`) && found.length === 0;
  const names = new Set([...found, ...name === null || isOwnKey ? [] : [name]]);
  return names.size === 0 ? {} : { by: [...names].join('\n') };
};

/** To this run, the findings of another report with its key look fixed. */
export const otherReport = (poster: Poster, markers: readonly Marker[]): string | null => {
  for (const marker of markers) {
    const mayLookFixed = haveFilesInCommon(marker['folder'] ?? '', poster.folder);
    const other = mayLookFixed ? otherPoster(marker, poster) : null;
    if (other !== null) return plainLine(`${other} has posted another report with the key ${marker['key']}`);
  }
  return null;
};

const haveFilesInCommon = (one: string, other: string): boolean =>
  one === other || one === '' || other === '' || isBelow(one, other) || isBelow(other, one);

const otherPoster = (marker: Marker, poster: Poster): string | null => {
  const { job = null, report } = marker;
  const isOther = poster.job !== null && job !== null && job !== poster.job;
  if (isOther && isOfPipeline(marker, poster)) return `the job ${job} of this pipeline`;
  return isOfRun(marker, poster) && report !== poster.report ? 'this job' : null;
};

export const isOfPipeline = (marker: Marker, { pipeline, report }: Poster): boolean => {
  const version = versionIn(marker);
  return (version !== null && version.value === pipeline?.value && version.project === pipeline.project)
    || (report !== null && partsOf(marker)[0] === report.split('.')[0]);
};

/** The pipelines that a marker names. */
export const pipelinesIn = (marker: Marker): string[] => partsOf(marker).slice(0, 1).filter((run) => run !== '');

const isOfRun = (marker: Marker, { report }: Poster): boolean => {
  const [pipeline, run] = partsOf(marker);
  return report !== null && run !== undefined && report.startsWith(`${pipeline}.${run}.`);
};

const partsOf = ({ report = '' }: Marker): string[] => report.split('.');

/** The newest pipeline of the same project that left its number. */
export const newestPipeline = (markers: readonly Marker[], { project }: RunVersion): RunVersion | null =>
  highestOf(null, markers.map(versionIn).filter((version) => version?.project === project));
