import type { PreviewState } from '../../../page/appearance.js';
import type { Difference } from '../differences.js';

export interface PreviewCheck { readonly level: 'error' | 'warning'; readonly message: string }
export interface PreviewProblem { readonly message: string; readonly hint: string | null }

export interface Preview {
  readonly service: string;
  readonly before: PreviewState;
  /** Null if only the live state is shown. */
  readonly document: { readonly name: string; readonly after: PreviewState } | null;
  readonly differences: readonly Difference[];
  readonly checks: readonly PreviewCheck[];
  /** The other parts are the last good ones if this is set. */
  readonly problem: PreviewProblem | null;
}
