import { oneTimeCode } from '../../../page/security.js';
import { randomHex } from '../../random.js';

/** What opens the control plane for the page of a server. Every start has another one. */
export interface InspectorKey {
  readonly token: string;
  /** A code that opens the page once, within a minute: other users see what a browser was started with. */
  readonly issue: () => string;
  readonly redeem: (code: string) => boolean;
}

export const createInspectorKey = (now: () => Date): InspectorKey =>
  ({ token: randomHex(32), ...oneTimeCode(now, () => randomHex(32)) });
