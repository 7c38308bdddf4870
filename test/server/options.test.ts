import { describe, expect, it } from 'vitest';
import { openService, startServer, type ServerOptions } from '../../src/server/index.js';

describe('options of a server', () => {
  it.each<[object, string]>([
    [{ tier: 'gold' }, 'the option tier is "gold"; pass "free" or "premium" or "ultimate"'],
    [{ serviceVersion: 12.7 }, 'the option serviceVersion is the number 12.7; pass a version as a text, such as "12.7"'],
    [{ wrold: {} }, 'unknown option "wrold"; use one of host, '],
    [{ port: 70_000 }, 'the option port is the number 70000; pass a port from 0 to 65535'],
    [{ seed: '1' }, 'the option seed is an invalid text; pass a whole number from 0'],
    [{ allowedHosts: 'a.example' }, 'the option allowedHosts is an invalid text; pass a list of strings'],
  ])('are named in the error: %j', async (options, message) => {
    for (const open of [openService, startServer]) {
      await expect(open(options as ServerOptions)).rejects.toThrow(TypeError);
      await expect(open(options as ServerOptions)).rejects.toThrow(message);
    }
  });
});
