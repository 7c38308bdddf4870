import type { Appearance, ImageField } from '../contract/appearance.js';

export interface PreviewImage {
  readonly filename: string;
  /** Null if the image could not be read. */
  readonly bytes: Uint8Array | null;
  readonly type: string | null;
}

/** The appearance of an instance as pages show it. The texts are untrusted. */
export interface PreviewState {
  readonly fields: Readonly<Partial<Omit<Appearance, ImageField>>>;
  readonly images: Readonly<Partial<Record<ImageField, PreviewImage | null>>>;
}
