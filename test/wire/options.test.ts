import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createTransport } from '../../src/client/create-transport.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { RequestQuery } from '../../src/server/control/queries.js';
import { openService } from '../../src/server/index.js';

const url = 'https://gitlab.example.com';

describe('options of a client', () => {
  it.each<[object, string]>([
    [{ url: undefined }, 'the option url is missing; pass the base URL of the service as a text, such as https://gitlab.example.com'],
    [{ url: 5 }, 'the option url is the number 5; pass the base URL of the service as a text, such as https://gitlab.example.com'],
    [{ url, tokn: 'secret-token' }, 'unknown option "tokn"; did you mean token?'],
    [{ url, token: ['secret-token'] }, 'the option token is a list; pass a text'],
    [{ url, tokenScheme: 'Bearer' }, 'the option tokenScheme is "Bearer"; pass "private-token" or "bearer"'],
    [{ url, timeout: '5s' }, 'the option timeout is "5s"; pass a number of milliseconds, 0 or more'],
    [{ url, onEvent: 'secret-token' }, 'the option onEvent is a text; pass a function'],
    [{ url, perPage: 0 }, 'the option perPage is the number 0; pass a whole number from 1'],
    [{ url, signal: new AbortController() }, 'the option signal is an object; pass an AbortSignal'],
    [{ url, once: true }, 'the option once is a boolean; pass "marker" or "text"'],
  ])('are named in the error: %j', (options, message) => {
    for (const create of [createClient, createTransport]) {
      expect(() => create(options as ClientOptions)).toThrow(TypeError);
      expect(() => create(options as ClientOptions)).toThrow(message);
      expect(() => create(options as ClientOptions)).not.toThrow('secret-token');
    }
  });

  it('may be undefined', () => {
    expect(() => createClient({ url, token: undefined, timeout: undefined })).not.toThrow();
  });
});

describe('operations of a server in code', () => {
  it('check their arguments too', async () => {
    const service = await openService();
    await expect(service.requests({ statuss: 200 } as RequestQuery)).rejects
      .toThrow('invalid query of requests: unknown option "statuss"; did you mean status?');
    await expect(service.deliveries({ evnt: 'note' } as never)).rejects
      .toThrow('invalid query of deliveries: unknown option "evnt"; did you mean event?');
    await expect(service.requests({ method: 5 } as unknown as RequestQuery)).rejects.toThrow('the option method is the number 5; pass a text');
    await expect(service.snapshot(undefined as unknown as string)).rejects.toThrow('invalid snapshot name');
    await expect(service.restore(5 as unknown as string)).rejects.toThrow('invalid snapshot name');
    expect(() => service.worldUrl(undefined as unknown as string)).toThrow('invalid world name');
    await expect(service.faults([], 'x' as unknown as number)).rejects.toThrow('the seed of the faults is invalid');
    await expect(service.faults('* => reset' as unknown as string[])).rejects.toThrow('the fault rules are not a list');
    await expect(service.clock({ nwo: '2024-05-01' } as unknown as string)).rejects
      .toThrow('unknown change of the clock "nwo"');
    await expect(service.clock({} as unknown as string)).rejects.toThrow('no valid change of the clock given');
    await service.close();
  });
});
