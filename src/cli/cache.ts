/**
 * What the program keeps between two calls to be quicker and more helpful. Nothing in it is needed: what can't be read
 * is missing, and what can't be written is not kept.
 */
export interface CacheFolder {
  readonly read: (name: string) => string | null;
  /** Stores what `to` makes of a file's text, so that no change of another process is lost. Never fails. */
  readonly change: (name: string, to: (text: string | null) => string) => Promise<void>;
  /** Names of the files in it, the one written last first. */
  readonly names: () => readonly string[];
  readonly remove: (name: string) => void;
}
