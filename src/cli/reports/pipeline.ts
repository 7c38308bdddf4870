import type { Marker } from '../../wire/marker.js';
import type { App } from '../app.js';

/** The pipeline of a run: internal ids count the pipelines of a project. */
export interface Pipeline { readonly project: string; readonly iid: number }

/** The pipeline of the CI job; null outside of CI. */
export const jobPipeline = ({ env }: App): Pipeline | null => {
  const iid = env['CI_PIPELINE_IID'] ?? '';
  return /^[1-9]\d{0,14}$/.test(iid) ? { project: env['CI_PROJECT_ID'] ?? '', iid: Number(iid) } : null;
};

/** The values of a pipeline in the marker of a note. */
export const pipelineValues = (pipeline: Pipeline | null): Marker =>
  pipeline === null ? {} : { newer: String(pipeline.iid), project: pipeline.project };

/** The newest pipeline of the same project in the markers of notes; null if there is none. */
export const newestPipeline = (markers: readonly Marker[], { project }: Pipeline): number | null => {
  const known = markers.filter((marker) => marker['project'] === project).map((marker) => Number(marker['newer']))
    .filter((iid) => Number.isSafeInteger(iid) && iid > 0);
  return known.length === 0 ? null : Math.max(...known);
};
