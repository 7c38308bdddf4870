/** What a text is written for. Two texts of one purpose are versions of each other. */
export interface Purpose {
  /** As it is called: `notes add`. */
  readonly verb: string;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
  /** Everything that tells this target from others: service, project, reference, thread. */
  readonly target: readonly string[];
}

/** Whether a file holds a text, or a page that an editor was at. */
type DraftKind = 'text' | 'page';

/** What the name of a draft's file tells. */
export interface DraftName {
  readonly file: string;
  readonly kind: DraftKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly purpose: string;
  /** The purpose in words, see `readable`. */
  readonly words: string;
}

/** A name for a new file: when, what for, and the process, so that no two are alike. */
export const draftName = async (purpose: Purpose, kind: DraftKind, now: Date, pid: number): Promise<string> => {
  const words = readable(purpose);
  return `${now.getTime()}-${pid}-${await purposeKey(purpose)}-${words}${kind === 'page' ? '.page' : ''}.md`;
};

/** What a text is for, as the name of its file says it: two services may have a merge request 12. */
export const readable = ({ verb, name }: Purpose): string =>
  `${verb}-${name}`.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);

/** Reads a name; null for files that are none of ours. */
export const readDraftName = (file: string): DraftName | null => {
  const [, at, purpose, words, page] = /^(\d{1,15})-\d+-([0-9a-f]{16})-([A-Za-z0-9-]*)(\.page)?\.md$/.exec(file) ?? [];
  if (at === undefined) return null;
  return { file, at: Number(at), purpose: purpose!, words: words!, kind: page ? 'page' : 'text' };
};

/** A purpose as a word that fits into a file name. */
export const purposeKey = async ({ verb, target }: Purpose): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(JSON.stringify([verb, ...target])).digest('hex').slice(0, 16);
};
