import type { RecordedExchange } from '../recording/exchange.js';
import type { Imitation } from '../contract/imitation.js';
import { content } from '../wire/options.js';
import { monotonicTime, sleep } from '../wire/time.js';
import type { GivenFaults } from './faults/file.js';
import { open, type System } from './open.js';
import { shutdownTimeout } from './http/middleware.js';
import { checkServerOptions, type OpenService, type RunningServer, type ServerOptions } from './options.js';

export { demoWorld } from './world-file/demo/demo.js';
export { WorldError } from './world-file/problem.js';
export type { TokensByUser, WorldCounts } from './world-file/fill.js';
export type {
  World, WorldAppearance, WorldCommit, WorldDiffVersion, WorldDiscussion, WorldDraftNote, WorldEpic, WorldGroup,
  WorldHook, WorldImage, WorldIssue, WorldMergeRequest, WorldNote, WorldPosition, WorldProject, WorldSettings,
  WorldSnippet, WorldSuggestion, WorldToken, WorldUser,
} from './world-file/schema.js';
export { backupStore, type BackupOptions } from './store/backup.js';
export type { EngineName } from './store/sqlite/engine.js';
export { StoreError } from './store/errors.js';
export { HintedError } from '../text/messages.js';
export { FaultError, type FaultRule, type GivenFaults } from './faults/file.js';
export type {
  Deviation, ErrorDeviation, HeaderDeviation, Imitation, KeysDeviation, OperationDeviation,
} from '../contract/imitation.js';
export type { FaultState } from './faults/faults.js';
export type { CountedRule } from './faults/rules.js';
export type { MovedThreads, PushChange, PushResult } from './handlers/pushes/push.js';
export type { PushedContent } from './handlers/pushes/next-version.js';
export { type PseudonymKind, type RecordedBody, type RecordedExchange, RecordingError } from '../recording/exchange.js';
export type { ProxyOptions } from './http/proxy.js';
export type { ReplayOptions, ReplaySource } from './http/replay.js';
export { type ClockChange, ClockError, type ClockState } from './clock.js';
export type { ListenOptions } from './http/listen.js';
export type { OwnRoute, Role, RouteContext, RouteProject, RouteResponse, RouteUser } from './control/custom-routes.js';
export { ListenError, OperationError } from './http/response.js';
export type { Tier, TokenType } from '../contract/conventions.js';
export type { Dialect } from '../contract/endpoint.js';
export type { LoggedExchange, LoggedRequest, LoggedResponse } from './http/request-log.js';
export type { Delivery } from './hooks/deliveries.js';
export type { EventKind } from './hooks/events.js';
export type { DeliveryQuery, RequestFilter, RequestQuery } from './control/queries.js';
export type { HttpRequest, HttpResponse, Service, Transport } from '../wire/http.js';
export type { DataControls } from './control/operations.js';
export type { OpenService, OpenWorld, RunningServer, ServerControls, ServerOptions } from './options.js';

/**
 * From YAML or JSON, as `conformance --save` writes it.
 * @param text the content of the file @param source its name in errors
 * @throws WorldError
 */
export const imitationFrom = async (text: string, source: string): Promise<Imitation> =>
  (await import('./overrides.js')).imitationFrom(content(text), source);

/**
 * The exchanges of a file of `serve --record`, or of an HTTP archive (HAR).
 * @param text the content of the file @param source its name in errors
 * @throws RecordingError
 */
export const recordingFrom = async (text: string, source: string): Promise<readonly RecordedExchange[]> =>
  (await import('../recording/read.js')).readRecording(content(text), source);

/**
 * The rules of a file, which `faults` of a server then sets.
 * @param text the content of the file @param source its name in errors
 * @throws FaultError
 */
export const faultsFrom = async (text: string, source: string): Promise<GivenFaults> =>
  (await import('./faults/file.js')).faultsFrom(content(text), source);

const system: System = { now: () => new Date(), timer: monotonicTime, sleep };

/**
 * The test server without a socket, for tests and tools in the same process.
 * @throws StoreError, WorldError, FaultError, ClockError
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 * import { openService } from 'colloquy/server';
 *
 * const service = await openService();
 * const client = createClient({ url: 'http://test', token: 'ada-token', transport: service.handle });
 * const issues = await client.lookups.issues({ id: 'acme/app' }).all();
 * console.log(issues.length > 0); // prints true
 * await service.close();
 * ```
 */
export const openService = async (options: ServerOptions = {}): Promise<OpenService> => {
  const { controls, inProcess, setAddress, close: closeService } = await open(options, system);
  const close = () => closeService();
  return Object.assign(controls, { handle: inProcess, setAddress, close, [Symbol.asyncDispose]: close });
};

/**
 * Starts the test server, by default on a free port of the loopback address, in memory, with the demo world.
 * @throws StoreError, WorldError, FaultError, ClockError, ListenError
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 * import { startServer } from 'colloquy/server';
 *
 * const server = await startServer();
 * const client = createClient({ url: server.url, token: 'root-token' });
 * const user = await client.lookups.user();
 * console.log(user.username); // prints root
 * await server.close();
 * ```
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  checkServerOptions(options);
  const { host = '127.0.0.1', port = 0, tls, externalUrl, allowedHosts = [] } = options;
  const ownNames = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  const service = await open({ ...options, allowedHosts: [...allowedHosts, ...ownNames] }, system);
  try {
    const { listen } = await import('./http/listen.js');
    const { controls, handle } = service;
    const listening = await listen({ handle }, { host, port, ...tls && { tls } });
    service.setAddress(listening.url);
    service.setSocketUrl(listening.url);
    const close = async () => {
      const until = monotonicTime() + shutdownTimeout;
      // Requests that stall or wait for other requests are pending too.
      service.interrupt();
      await listening.close();
      await service.close(until);
    };
    return {
      ...controls,
      url: listening.url,
      get tokens() { return controls.tokens; },
      get inspectorUrl() { return controls.inspectorUrl; },
      close, [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await service.close();
    throw error;
  }
};

