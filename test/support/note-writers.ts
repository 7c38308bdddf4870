import { Agent, request } from 'undici';

/** The outcome of each written note for its client, by body. */
export interface Outcomes {
  /** Answered with 201. */
  readonly kept: string[];
  /** Without a response: the notes may or may not exist. */
  readonly unknown: string[];
  /** With a response that leaves the outcome open. */
  readonly odd: string[];
  /** How often a client received 503 and retried the same note. */
  refusals: number;
}

/** Clients that write notes without a pause. */
export interface NoteWriters {
  readonly outcomes: Outcomes;
  stop(): Promise<void>;
}

/** A world of issues to write notes on, one issue per round. */
export const worldOfRounds = (rounds: number) => ({
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  projects: [{ path: 'acme/rounds', issues: Array.from({ length: rounds }, (_, i) => ({ iid: i + 1, title: `Round ${i + 1}` })) }],
});

/** Starts a round: each client writes notes one after another, on its own connection, to the servers in turn. */
export const startWriters = (urls: readonly string[], round: number, clients: number): NoteWriters => {
  const agent = new Agent({ connections: clients });
  const outcomes: Outcomes = { kept: [], unknown: [], odd: [], refusals: 0 };
  const stopping = new AbortController();
  const write = async (url: string, body: string): Promise<number> => {
    const answer = await request(`${url}/api/v4/projects/acme%2Frounds/issues/${round}/notes`, {
      dispatcher: agent, method: 'POST', headers: { 'private-token': 'root-token', 'content-type': 'application/json' }, body: JSON.stringify({ body }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const writeOn = async (client: number): Promise<void> => {
    for (let n = 1; !stopping.signal.aborted; n++) await writeUntilAnswered(urls[client % urls.length]!, `${round}/${client}/${n}`);
  };
  const writeUntilAnswered = async (url: string, body: string): Promise<void> => {
    for (;;) {
      const status = await write(url, body).catch(() => 0);
      if (status === 503) outcomes.refusals++;
      else {
        (status === 201 ? outcomes.kept : status === 0 ? outcomes.unknown : outcomes.odd).push(body);
        if (status === 201) return;
      }
      await new Promise((resolve) => { setTimeout(resolve, 10); });
      if (status !== 503) return;
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, client) => writeOn(client)));
  return { outcomes, stop: async () => { stopping.abort(); await running; await agent.close(); } };
};

interface Dumped {
  readonly projects: readonly { readonly issues: readonly { readonly discussions: readonly { readonly notes: readonly { readonly body: string }[] }[] }[] }[];
}

/** How the stored notes differ from the responses: both counts are zero on a correct server. */
export const countFaults = async (url: string, outcomes: readonly Outcomes[]): Promise<{ readonly lost: number; readonly doubled: number }> => {
  const { body } = await request(`${url}/-/world`);
  const { projects } = await body.json() as Dumped;
  const stored = projects.flatMap(({ issues }) => issues.flatMap(({ discussions }) => discussions.flatMap(({ notes }) => notes.map((note) => note.body))));
  const once = new Set(stored);
  return { lost: outcomes.flatMap(({ kept }) => kept).filter((one) => !once.has(one)).length, doubled: stored.length - once.size };
};

/** The texts of all notes of a round's threads, read page by page. */
export const listBodies = async (url: string, round: number): Promise<readonly string[]> => {
  const bodies: string[] = [];
  for (let page = '1'; page !== '';) {
    const { statusCode, headers, body } = await request(
      `${url}/api/v4/projects/acme%2Frounds/issues/${round}/discussions?per_page=100&page=${page}`, { headers: { 'private-token': 'root-token' } });
    if (statusCode !== 200) throw new Error(`page ${page} answered ${statusCode}`);
    const threads = await body.json() as Dumped['projects'][number]['issues'][number]['discussions'];
    bodies.push(...threads.flatMap(({ notes }) => notes.map((note) => note.body)));
    page = String(headers['x-next-page'] ?? '');
  }
  return bodies;
};
