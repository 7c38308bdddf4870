export { createClient, type CallOptions, type Client, type MethodOf, type MethodsOf } from './client/client.js';
export { AnswerError, ApiError, ConnectionError, NoResultError, type FailedRequest } from './client/errors.js';
export type { ClientEvent, Observer } from './client/middleware/events.js';
export type { TokenScheme } from './client/middleware/auth.js';
export type { ClientOptions, TransportOptions } from './client/options.js';
export type { Page, PageOf, Pages } from './client/pagination/pages.js';
export type { ProxySettings } from './client/transport/proxy.js';
export { defaultRetry, noRetry, type RetryPolicy } from './client/middleware/retry.js';
export type { Routes } from './client/routes.js';
export type { Time } from './client/time.js';
export { createTransport } from './client/create-transport.js';
export { contract, everyEndpoint, type Contract, type NamedEndpoint } from './contract/contract.js';
export type { Endpoint, ItemOf, Parameter, ParamsOf, ResultOf } from './contract/endpoint.js';
export type { NoteableKind } from './contract/noteables.js';
export type { Appearance } from './contract/shapes/appearance.js';
export type { Discussion } from './contract/shapes/note.js';
export type { Epic, LinkedEpic } from './contract/shapes/epic.js';
export type { Upload } from './contract/upload.js';
export type { Note } from './contract/shapes/note.js';
export type {
  FilePosition, ImagePosition, LineRange, Position, PositionInput, TextPosition,
} from './contract/shapes/position.js';
export type { User } from './contract/shapes/scalars.js';
export type { Encoding } from './wire/encode.js';
export type { HttpRequest, HttpResponse, Transport } from './wire/http.js';
export type { Written } from './wire/raw-list.js';
