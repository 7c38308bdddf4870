import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import type { TriageTexts } from './texts.js';

/** Everything that a triage changes or opens. */
export interface Surroundings {
  readonly app: App;
  readonly target: Target;
  readonly texts: TriageTexts;
  /** Gives the terminal to an editor. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
}
