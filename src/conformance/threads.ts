import { pathOf, type Got, type ObjectName, type Probe } from './check.js';
import { hasStatus, listIn, objectIn, read } from './expect.js';

/** A note as checks read it. */
export interface NoteSeen { readonly [key: string]: unknown; readonly id: number; readonly body: string }

interface ThreadSeen {
  readonly id: string;
  readonly individual_note: boolean;
  readonly notes: readonly NoteSeen[];
}

export const threadsPath = (probe: Probe, name: ObjectName): string => `${pathOf(probe, name)}/discussions`;

/** The first page of threads of an object. */
export const threadsOf = async (probe: Probe, name: ObjectName): Promise<readonly [Got, readonly ThreadSeen[]]> => {
  const got = await read(probe, threadsPath(probe, name), 'per_page=100');
  return [got, listIn(got) as unknown as readonly ThreadSeen[]];
};

export interface NewThread {
  readonly got: Got;
  readonly thread: ThreadSeen;
  /** The path of the thread. */
  readonly path: string;
  readonly note: NoteSeen;
}

/** What a note of a check says; marked, so that a person who sees it knows where it comes from. */
export const checkText = 'A conformance check wrote this note and deletes it again.';

/** Creates a thread, works with it, and deletes its notes, also after a failure. */
export const withThread = async (
  probe: Probe, name: ObjectName, work: (created: NewThread) => Promise<void>,
  { body = checkText, ...more }: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const threads = threadsPath(probe, name);
  const got = hasStatus(await probe.call('POST', threads, { json: { body, ...more } }), 201);
  const thread = objectIn(got) as unknown as ThreadSeen;
  const path = `${threads}/${thread.id}`;
  try {
    await work({ got, thread, path, note: thread.notes[0]! });
  } finally {
    await deleteNotes(probe, path);
  }
};

const deleteNotes = async (probe: Probe, path: string): Promise<void> => {
  const got = await probe.call('GET', path, { isCleanUp: true });
  if (got.status === 404) return;
  for (const { id } of (objectIn(hasStatus(got, 200)) as unknown as ThreadSeen).notes) {
    hasStatus(await probe.call('DELETE', `${path}/notes/${id}`, { isCleanUp: true }), 204, 404);
  }
};
