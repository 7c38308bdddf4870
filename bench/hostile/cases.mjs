/**
 * All cases, as data:
 *
 * - `name`; `command`, a key of `commands`
 * - `server`, a function of a raw socket and the world of the run: `seen`, the requests that were read, `port` and
 *   `otherPort`, `state` for whatever it keeps; an honest service where it is left out
 * - `over`: `https` where the server speaks TLS, with the options `tls`; `url` where the client is told another address
 * - `proxy`, a server for the proxy; `overProxy`: `https` where the proxy speaks TLS; `proxyScheme`
 *   where it is said to, `proxyAddress` where there is none
 * - `other`, the same for another origin, whose requests are in `world.otherSeen`
 * - `ca`, the certificate that the client trusts, where it is not the tests' own authority
 * - `expect`, made by `judge.mjs`; `check(world, outcome)` says what else is wrong
 * - `limit` in seconds, where it is not the usual one; `waits` where the time passes in waiting
 * - `clients`, where not all of them are meant
 */
import { bodies } from './bodies.mjs';
import { http } from './http.mjs';
import { limits } from './limits.mjs';
import { paging } from './paging.mjs';
import { proxies } from './proxies.mjs';
import { redirects } from './redirects.mjs';
import { tls } from './tls.mjs';
import { transport } from './transport.mjs';
import { uploads } from './uploads.mjs';

/** Here it matters what sends the requests, so the library is run with both of its ways. */
const bothWays = { clients: ['program', 'library', 'library, node'] };
const ofConnections = { transport, http, tls };
const ofAnswers = { proxies, bodies, paging, redirects, limits, uploads };

const casesIn = (areas, more) =>
  Object.entries(areas).flatMap(([area, list]) => list.map((one) => ({ area, ...more, ...one })));

export const cases = [...casesIn(ofConnections, bothWays), ...casesIn(ofAnswers, {})];
