/**
 * All cases, as data. Fields of a case:
 *
 * - `name`; `command`, a key of `commands`, or `args` and `stdin` of its own for the program
 * - `prepare(folder)` writes files into the folder in which the program runs
 * - `server(socket, world)` gets each connection of the run; without it an honest service responds. `world.seen` holds
 *   the requests that were read, `connections` the ports of all clients; `state` is free for use
 * - `over: 'https'` makes the server speak TLS, with the options `tls`; `url(world)` gives the client another address
 * - `proxy(socket, world)` is a proxy; `overProxy: 'https'` makes it speak TLS; `proxyScheme` and `proxyAddress()` give
 *   the client another scheme or address
 * - `other(socket, world)` is another origin; its requests are in `otherSeen`
 * - `ca`: the certificate that the client trusts, by default the authority of the tests
 * - `expect` is made by `judge.mjs`; `check(world, outcome)` returns another problem, or null
 * - `limit`: the maximum number of seconds; `waits`: the case spends its time waiting, so many can run at once
 * - `times`: number of runs, for cases that depend on chance
 * - `clients`: the clients that run it
 */
import { accounts } from './accounts.mjs';
import { bodies } from './bodies.mjs';
import { http } from './http.mjs';
import { inputs } from './inputs.mjs';
import { limits } from './limits.mjs';
import { paging } from './paging.mjs';
import { proxies } from './proxies.mjs';
import { redirects } from './redirects.mjs';
import { textCases as texts } from './texts.mjs';
import { tls } from './tls.mjs';
import { transport } from './transport.mjs';
import { uploads } from './uploads.mjs';

/** These depend on the HTTP client, so the library runs with both of its clients. */
const bothSenders = { clients: ['program', 'library', 'library, node'] };
const ofConnections = { transport, http, tls };
const ofAnswers = { proxies, bodies, paging, redirects, limits, uploads, accounts, texts, inputs };

const casesIn = (areas, more) =>
  Object.entries(areas).flatMap(([area, list]) => list.map((one) => ({ area, ...more, ...one })));

export const cases = [...casesIn(ofConnections, bothSenders), ...casesIn(ofAnswers, {})];
