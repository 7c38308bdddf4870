import type { Appearance } from '../../../contract/appearance.js';
import type { Difference } from '../differences.js';
import type { ImageField } from '../live.js';

export interface PreviewImage {
  readonly filename: string;
  /** Null if the image could not be read. */
  readonly bytes: Uint8Array | null;
  readonly type: string | null;
}

/** The texts are untrusted. */
export interface PreviewState {
  readonly fields: Readonly<Partial<Omit<Appearance, ImageField>>>;
  readonly images: Readonly<Partial<Record<ImageField, PreviewImage | null>>>;
}

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
