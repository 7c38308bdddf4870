import { withoutMarkers } from '../../../wire/marker.js';
import { isStoredAs } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { excludedAuthor, type AcceptFlags } from '../filters/acceptance.js';
import { supersededCommit } from '../position/version.js';
import { isHigher, type Version } from '../upsert/version.js';
import { earlierPosts, type EarlierPosts } from './earlier.js';
import { reaches, type Level } from './finding.js';
import type { Loaded } from './load.js';
import { jobName, jobPipeline, newestPipeline } from './pipeline.js';
import { placeFindings, type Placed, type PostFilter } from './place.js';
import { planPosts, type PostStep, type WantedFinding } from './plan.js';
import { planSummary, type PostContext, type SummaryStep } from './post.js';
import { findingText, summaryText } from './text.js';

export interface RunOptions extends GlobalFlags, AcceptFlags {
  readonly filter?: PostFilter;
  readonly level: Level;
  readonly max: number;
  /** A missing finding is a fixed one, unless the run failed. */
  readonly resolve: boolean;
  readonly rawText?: boolean;
}

export interface RunPlan {
  readonly steps: readonly PostStep[];
  readonly summary: readonly SummaryStep[];
  readonly context: PostContext;
  readonly earlier: EarlierPosts;
  /** Why the run is not of the newest commit and pipeline, so that nothing changes; null if it is. */
  readonly stale: string | null;
}

/** Compares findings with what earlier runs left. Sends no writes. @throws Problem */
export const planRun = async (
  app: App, flags: RunOptions, target: Target, { keys, formerKeys, findings, failure }: Loaded,
): Promise<RunPlan> => {
  const options = { ...flags, resolve: flags.resolve && failure === null };
  const excluded = await excludedAuthor(target, options);
  const earlier = await earlierPosts(target, keys, formerKeys, excluded);
  const placed = await placeFindings(app, options, target, findings.map(({ finding }) => finding), options.filter);
  const wanted = findings.map((one, i) => wantedOf(one, placed[i]!, options));
  const places = new Map(wanted.map((one, i) => [one, placed[i]!]));
  const pipeline = jobPipeline(app);
  const placeOf = (one: WantedFinding) => places.get(one)!;
  const context = { app, flags: options, target, keys, pipeline, job: jobName(app), placeOf };
  const steps = planPosts(wanted, earlier.threads, {
    keys, max: options.max, isComplete: options.resolve, isSameText: isStoredAs,
  });
  const stale = await supersededCommit(app, target) ?? newerPipeline(pipeline, earlier);
  if (stale !== null) {
    const skipped = steps.flatMap((step) => staleStep(step, `stale: ${stale}`));
    return { steps: skipped, summary: [], context, earlier: { ...earlier, copies: [] }, stale };
  }
  return { steps, summary: summaryOf(steps, options, earlier), context, earlier, stale };
};

const newerPipeline = (pipeline: Version | null, { markers }: EarlierPosts): string | null => {
  const newest = pipeline === null ? null : newestPipeline(markers, pipeline);
  return isHigher(newest, pipeline) ? `pipeline ${newest!.value}, which is newer, has posted already` : null;
};

/** The findings stay in the plan, because the run is judged by its own report. */
const staleStep = (step: PostStep, reason: string): PostStep[] => {
  if (step.action === 'skip') return [step];
  if (step.action === 'resolve' || step.wanted === null) return [];
  return step.action === 'leave' ? [step] : [{ action: 'skip', wanted: step.wanted, reason }];
};

/** As `planRun` without a service: every finding is new. */
export const planWithoutService = ({ keys, findings }: Loaded, options: RunOptions): PostStep[] =>
  planPosts(findings.map((one) => wantedOf(one, { skip: null }, options)), [],
    { keys, max: options.max, isComplete: true, isSameText: isStoredAs });

const wantedOf = (
  { key, finding, fingerprint }: Loaded['findings'][number], { position, skip, guess }: Placed,
  { level, rawText = false }: RunOptions,
): WantedFinding => {
  // A guess may end up without its position, so its text names the place.
  const line = position?.position_type === 'text' && guess === undefined ? finding.line : null;
  return {
    key, finding, fingerprint, text: withoutMarkers(findingText(finding, { isRaw: rawText, line })),
    skip: reaches(finding.level, level) ? skip : `below --level ${level}`,
  };
};

/** A partial report does not show which findings of the comment are fixed, so the comment stays. */
const summaryOf = (
  steps: readonly PostStep[], { rawText = false, resolve }: RunOptions, { summaries }: EarlierPosts,
): SummaryStep[] => {
  const rest = steps.flatMap((step) => step.action === 'summarize' ? [step.wanted.finding] : []);
  if (rest.length === 0 && !resolve) return [];
  return planSummary(rest.length === 0 ? null : withoutMarkers(summaryText(rest, rawText)), summaries);
};
