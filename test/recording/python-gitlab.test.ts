import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseUrl } from '../../src/client/base-url.js';
import { socketTransport } from '../../src/client/transport/socket.js';
import { readRecording } from '../../src/recording/read.js';
import { startServer } from '../../src/server/index.js';
import { pythonWith, runPython } from '../support/python.js';

const script = join(import.meta.dirname, '../fixtures/python-gitlab.py');
const pythons = pythonWith('gitlab');

/** The results are texts of JSON: the pseudonyms of users whom no request names have the same shape. */
const shape = (text: string) => text.replace(/\p{Lu}/gu, 'A').replace(/\p{Ll}/gu, 'a').replace(/\d/g, '1');

describe('python-gitlab', () => {
  it('has its script', () => { expect(existsSync(script)).toBe(true); });

  it.for(pythons)('of %s notices nothing when 500 exchanges are replayed', { timeout: 120_000 }, async (python) => {
    const work = async (url: string): Promise<string> => {
      const { code, out, err } = await runPython(python, script, url, '60');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return out;
    };
    const upstream = await startServer({ dialect: 'live' });
    let text = '';
    const transport = socketTransport(readBaseUrl(upstream.url));
    const proxy = await startServer({ proxy: { url: upstream.url, transport, onExchange: (line) => { text += line; } } });
    const live = await work(proxy.url);
    await proxy.close();
    await upstream.close();
    const exchanges = readRecording(text, 'x');
    expect(exchanges.length).toBeGreaterThanOrEqual(500);
    expect(text).not.toMatch(/bob-token|nobody-token|"username":"(?:ada|bob)"|Ada|Bob/);

    const counts = { recorded: 0, world: 0, none: 0 };
    const replay = await startServer({ replay: { exchanges, strict: true, onReplay: (source) => { counts[source]++; } } });
    const again = await work(replay.url);
    await replay.close();
    expect(shape(again)).toBe(shape(live));
    expect(again).toContain('Round 59 for @ada, ä 😀, see HERE/acme/app');
    expect(counts).toEqual({ recorded: exchanges.length, world: 0, none: 0 });
  });
});
