export { createClient } from './client/client.js';
export {
  ResponseError, ApiError, ConnectionError, ListChangedError, MarkerLostError, MovedProjectError, NoResultError,
  type FailedRequest,
} from './client/errors.js';
export type { ClientEvent, Observer } from './client/events.js';
export type { MethodArguments, MethodOf, MethodsOf, Requests } from './client/method-of.js';
export type * from './client/methods.js';
export type {
  CallOptions, ClientOptions, OnceMode, RequestOptions, Routes, TokenScheme, TransportOptions,
} from './client/options.js';
export type { Page, PageOf, Pages } from './client/pages.js';
export type { ConnectionSettings, Dispatcher, ProxySettings } from './client/transport/connection.js';
export { defaultRetry, noRetry, type RetryPolicy } from './client/retry.js';
export type { Time } from './wire/time.js';
export { createTransport } from './client/create-transport.js';
export type { Appearance } from './contract/appearance.js';
export { contract, everyEndpoint, type NamedEndpoint } from './contract/contract.js';
export type { Epic, LinkedEpic } from './contract/epics.js';
export type { Hook } from './contract/hooks.js';
export type { AwardEmoji } from './contract/lookups/award-emoji.js';
export type { DraftNote } from './contract/lookups/draft-notes.js';
export type {
  Approvals, CommitDetails, Comparison, CurrentUser, DiffRefs, DiffVersion, DiffVersionDetails, EpicDetails, FileDiff,
  Group, Issue, Member, MergeRequest, MergeRequestChanges, Metadata, Project, RepositoryFile, Reviewer, Snippet,
  Version,
} from './contract/lookups/shapes.js';
export type { Discussion, Note, NoteableType, QuickActions, Suggestion } from './contract/shapes/note.js';
export type { LineEnd, LineRange, Position, PositionInput, TextPosition } from './contract/shapes/position.js';
export type { User } from './contract/shapes/scalars.js';
export type {
  AcceptingOperation, Dialect, Endpoint, ItemOf, ListOperation, Operation, Parameter, ParamsOf, RawOperation, Renamed,
  ResultOf, SchemaOf, Upload, WireParamsOf,
} from './contract/endpoint.js';
export type { NoteableKind } from './contract/conventions.js';
export type { TSchema } from './contract/schema.js';
export type * from './contract/operations.js';
export { UnusablePathValue, type Encoding } from './wire/encode.js';
export type { HttpRequest, HttpResponse, Transport } from './wire/http.js';
export type { Marker } from './wire/note-text.js';
export type { RawList } from './wire/raw-list.js';
