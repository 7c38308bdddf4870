import type { FactId } from '../contract/behavior/behavior.js';
import type { Dialect } from '../contract/endpoint.js';

/** A request of a check, below the prefix of the API. `token` is that of the caller if omitted, and null for none. */
export interface Sent {
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  /** Below the address of the service itself. */
  readonly isOutsideApi?: boolean;
  /** Removes what a check made: it is sent although the run was interrupted. */
  readonly isCleanUp?: boolean;
}

export interface Got {
  /** Method and path, for reports. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Null if the body is not JSON. */
  readonly json: unknown;
}

/** The paths of the objects that checks look at, and of those that they may write to. */
export interface Objects {
  readonly project: string | null;
  readonly group: string | null;
  readonly issue: string | null;
  readonly merge_request: string | null;
  readonly snippet: string | null;
  /** With the global id, for its threads. */
  readonly epic: string | null;
  /** With the number in the group, for its links. */
  readonly parent: string | null;
  readonly commit: string | null;
}

export type ObjectName = keyof Objects;

/** A service and a place to work in. */
export interface Probe {
  readonly dialect: Dialect;
  readonly objects: Objects;
  /** Why an object that was named cannot be looked at. */
  readonly unreachable?: Partial<Record<ObjectName, string>>;
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Got>;
}

/** How much a difference matters to clients: they ignore added keys, miss missing ones, and break at another type. */
export type Severity = 'info' | 'warning' | 'error';

/** In which way a response deviates, for a server that imitates it. */
export type Deviation =
  /** `when` is the expected value, any if undefined; without `value` the header is missing. */
  | { readonly kind: 'header'; readonly header: string; readonly when?: string; readonly value?: string }
  | { readonly kind: 'status'; readonly statuses: readonly number[] }
  | { readonly kind: 'error'; readonly status: number; readonly key: 'error' | 'message'; readonly text: string }
  | { readonly kind: 'keys'; readonly objects: readonly MissingKeys[] };

/** The keys that an object should have, and those of them that it lacks. */
interface MissingKeys { readonly keys: readonly string[]; readonly missing: readonly string[] }

/** The service does something else than the fact says. */
export class Difference extends Error {
  override readonly name = 'Difference';
  /** The response and in which way it deviates, where that is known. */
  readonly got: Got | null = null;
  readonly deviation: Deviation | null = null;
  constructor(
    readonly request: string, readonly expected: string, readonly actual: string, readonly severity: Severity = 'error',
    found: { readonly got: Got; readonly deviation: Deviation } | null = null,
  ) {
    super(`${request}: expected ${expected}, got ${actual}`);
    if (found !== null) Object.assign(this, found);
  }
}

/** The fact cannot be checked here. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/**
 * What a check may change: nothing, notes that it deletes again, the appearance, or links of epics, for which it makes
 * epics that nothing can delete. Requests that the service has to reject may change something too, where it does not.
 */
export type Effect = 'none' | 'notes' | 'appearance' | 'epics';

export interface Check {
  readonly effect: Effect;
  /** @throws Difference, Skipped */
  readonly run: (probe: Probe) => Promise<void>;
}

export type Checks = Readonly<Partial<Record<FactId, Check>>>;

const checkWith = (effect: Effect) => (run: Check['run']): Check => ({ effect, run });
export const reading = checkWith('none');
export const linkingEpics = checkWith('epics');

/** The notes that requests of the check create are deleted when it ends, even by a failure. */
export const writingNotes = (run: Check['run']): Check => ({
  effect: 'notes',
  run: async (probe) => {
    const created = new Set<string>();
    const call: Probe['call'] = async (method, path, sent) => {
      const got = await probe.call(method, path, sent);
      if (method === 'POST') notesCreated(path, got).forEach((note) => created.add(note));
      if (method === 'DELETE' && got.status === 204) created.delete(path);
      return got;
    };
    try {
      await run({ ...probe, call });
    } finally {
      await deleteNotes(probe, created);
    }
  },
});

/** The paths of the notes in a response to their creation. */
const notesCreated = (path: string, { status, json }: Got): string[] => {
  if (status >= 300 || typeof json !== 'object' || json === null) return [];
  const { id, notes } = json as { readonly id?: unknown; readonly notes?: unknown };
  if (id === undefined) return [];
  if (/\/(draft_)?notes$/.test(path)) return [`${path}/${String(id)}`];
  if (!Array.isArray(notes)) return [];
  return notes.map((note: { readonly id?: unknown } | null) => `${path}/${String(id)}/notes/${String(note?.id)}`);
};

const deleteNotes = async ({ call }: Probe, paths: Iterable<string>): Promise<void> => {
  for (const path of paths) {
    const { request, status } = await call('DELETE', path, { isCleanUp: true });
    const remains = status >= 400 && status !== 404;
    if (remains) throw new Difference(request, 'the deletion of a note of the check', `status ${status}`);
  }
};

const nouns: Readonly<Record<ObjectName, string>> = {
  project: 'project', group: 'group', issue: 'issue', merge_request: 'merge request', snippet: 'snippet',
  epic: 'epic', parent: 'epic', commit: 'commit',
};

/** The path of an object. @throws Skipped if there is none to look at */
export const pathOf = ({ objects, unreachable }: Probe, name: ObjectName): string => {
  const path = objects[name];
  const reason = unreachable?.[name];
  if (path === null && reason !== undefined) throw new Skipped(reason);
  if (path === null) throw new Skipped(`no ${nouns[name]} to check it on: name one`);
  return path;
};
