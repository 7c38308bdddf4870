/**
 * What the program keeps between two calls to be quicker and more helpful. Nothing in it is needed: what can't be read
 * is missing, and what can't be written is not kept.
 */
export interface CacheFolder {
  readonly read: (name: string) => string | null;
  readonly write: (name: string, text: string) => void;
  /** Names of the files in it, the one written last first. */
  readonly names: () => readonly string[];
  readonly remove: (name: string) => void;
}
