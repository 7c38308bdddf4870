import type { Edition } from '../../../../contract/behavior/fact.js';
import type { Html } from '../../../../page/html.js';
import type { Operations } from '../../operations.js';
import type { UrlOf } from '../../request-log/url.js';

export interface ViewContext {
  /** Of the service, which decides about the parameters that operations have. */
  readonly edition: Edition;
  readonly urlOf: UrlOf;
}

/** A part of the page; `styles` are its own, because the policy allows no style attributes. */
interface Fragment { readonly html: Html; readonly styles?: string }

/** @param at what to show of it, empty for an overview; untrusted */
export type View = (operations: Operations, at: string, context: ViewContext) => Promise<Fragment>;
