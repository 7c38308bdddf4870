import type { Appearance } from '../../../contract/appearance.js';
import type { ImageField } from '../live.js';

/** An image of the service or of the document. */
export interface PreviewImage {
  readonly filename: string;
  /** Null if the image could not be read. */
  readonly bytes: Uint8Array | null;
  /** Media type by content; null if it is unknown. */
  readonly type: string | null;
}

/** One state of the appearance, as the page shows it. The texts are untrusted. */
export interface PreviewState {
  readonly fields: Readonly<Partial<Omit<Appearance, ImageField>>>;
  readonly images: Readonly<Record<ImageField, PreviewImage | null>>;
}

/** The result of a check of the document. */
export interface PreviewCheck { readonly level: 'error' | 'warning'; readonly message: string }

/** Why the document or the live state could not be read again. */
export interface PreviewProblem { readonly message: string; readonly hint: string | null }

/** Everything that the page shows. */
export interface Preview {
  /** The address of the service. */
  readonly service: string;
  readonly before: PreviewState;
  /** The document and the state after applying it; null if only the live state is shown. */
  readonly document: { readonly name: string; readonly after: PreviewState } | null;
  readonly changed: readonly string[];
  readonly checks: readonly PreviewCheck[];
  /** The other parts are the last good ones if this is set. */
  readonly problem: PreviewProblem | null;
}
