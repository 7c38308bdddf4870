import { Agent, request } from 'undici';

/** What callers were told of the notes they wrote, by body. */
export interface Told {
  /** Answered 201. */
  readonly kept: string[];
  /** Not answered at all: the notes may be there or not. */
  readonly unknown: string[];
  /** Answered in a way that leaves the caller in the dark. */
  readonly odd: string[];
  /** How often callers were sent away with 503, to come again with the same note. */
  refusals: number;
}

/** Callers that write notes without a pause. */
export interface Hammer {
  readonly told: Told;
  stop(): Promise<void>;
}

/** A world of issues for a hammer to write on, one for each round. */
export const anvil = (rounds: number) => ({
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  projects: [{ path: 'hammer/anvil', issues: Array.from({ length: rounds }, (_, i) => ({ iid: i + 1, title: `Round ${i + 1}` })) }],
});

/** Begins a round: each caller writes one note after another, on its own connection, to one of the servers in turn. */
export const hammer = (urls: readonly string[], round: number, callers: number): Hammer => {
  const agent = new Agent({ connections: callers });
  const told: Told = { kept: [], unknown: [], odd: [], refusals: 0 };
  const stopping = new AbortController();
  const write = async (url: string, body: string): Promise<number> => {
    const answer = await request(`${url}/api/v4/projects/hammer%2Fanvil/issues/${round}/notes`, {
      dispatcher: agent, method: 'POST', headers: { 'private-token': 'root-token', 'content-type': 'application/json' }, body: JSON.stringify({ body }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const call = async (caller: number): Promise<void> => {
    for (let n = 1; !stopping.signal.aborted; n++) await insist(urls[caller % urls.length]!, `${round}/${caller}/${n}`);
  };
  const insist = async (url: string, body: string): Promise<void> => {
    for (;;) {
      const status = await write(url, body).catch(() => 0);
      if (status === 503) told.refusals++;
      else {
        (status === 201 ? told.kept : status === 0 ? told.unknown : told.odd).push(body);
        if (status === 201) return;
      }
      await new Promise((resolve) => { setTimeout(resolve, 10); });
      if (status !== 503) return;
    }
  };
  const running = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return { told, stop: async () => { stopping.abort(); await running; await agent.close(); } };
};

interface Dumped {
  readonly projects: readonly { readonly issues: readonly { readonly discussions: readonly { readonly notes: readonly { readonly body: string }[] }[] }[] }[];
}

/** How what is stored differs from what callers were told: both are zero where the server keeps its word. */
export const broken = async (url: string, told: readonly Told[]): Promise<{ readonly lost: number; readonly doubled: number }> => {
  const { body } = await request(`${url}/-/world`);
  const { projects } = await body.json() as Dumped;
  const stored = projects.flatMap(({ issues }) => issues.flatMap(({ discussions }) => discussions.flatMap(({ notes }) => notes.map((note) => note.body))));
  const once = new Set(stored);
  return { lost: told.flatMap(({ kept }) => kept).filter((one) => !once.has(one)).length, doubled: stored.length - once.size };
};

/** The texts of all notes of a round's threads, read page by page. */
export const listed = async (url: string, round: number): Promise<readonly string[]> => {
  const bodies: string[] = [];
  for (let page = '1'; page !== '';) {
    const { statusCode, headers, body } = await request(
      `${url}/api/v4/projects/hammer%2Fanvil/issues/${round}/discussions?per_page=100&page=${page}`, { headers: { 'private-token': 'root-token' } });
    if (statusCode !== 200) throw new Error(`page ${page} answered ${statusCode}`);
    const threads = await body.json() as Dumped['projects'][number]['issues'][number]['discussions'];
    bodies.push(...threads.flatMap(({ notes }) => notes.map((note) => note.body)));
    page = String(headers['x-next-page'] ?? '');
  }
  return bodies;
};
