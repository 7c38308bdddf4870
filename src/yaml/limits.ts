/** A part is a word, a mark or a space, and takes about 400 bytes of memory; a million of them take four seconds. */
export const yamlLimits = {
  depth: 110, characters: 33_554_432, parts: 1_000_000, aliases: 1_000, expanded: 1_000_000,
} as const;

/** From 1. */
export interface YamlPlace { readonly line: number; readonly column: number }

/** Not YAML, or over a limit. The message is the reason alone. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  constructor(reason: string, readonly hint: string, readonly place: YamlPlace, readonly isLimit: boolean) {
    super(reason);
  }
}

export type ErrorAt = (offset: number, reason: string, hint: string) => YamlError;

/** Undefined for a node without a place. */
export const startOf = (node: unknown): number | undefined =>
  (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];
