/**
 * All cases, as data:
 *
 * - `name`; `command`, a key of `commands`; `flags` for the program
 * - `server`, a function of a raw socket and the world of the run; an honest service where it is left out
 * - `over`: `https` where the server speaks TLS, with the options `tls`; `url` where the client is given another address
 * - `proxy`, the same for a proxy; `overProxy`: `https` where the proxy speaks TLS; `proxyAddress` where there is none
 * - `other`, the same for another origin, whose requests are in `world.otherSeen`
 * - `expect`, made by `judge.mjs`; `check(world, outcome)` says what else is wrong
 * - `limit` in seconds, where it is not the usual one; `waits` where the time passes in waiting
 * - `clients`, where not all of them are meant
 */
import { proxies } from './proxies.mjs';
import { transport } from './transport.mjs';

const areas = { transport, proxies };

export const cases = Object.entries(areas).flatMap(([area, list]) => list.map((one) => ({ area, ...one })));
