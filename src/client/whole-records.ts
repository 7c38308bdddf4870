import type { Endpoint } from '../contract/endpoint.js';
import { isParams, type Params } from '../wire/http.js';
import type { CallResult } from './calls.js';
import { responseError, type Shape } from './response.js';

export interface OddRecord {
  readonly kind: string;
  readonly id: string | number | null;
  readonly fields: readonly string[];
}

export type OnOddRecord = (record: OddRecord) => void;

/**
 * The one place where odd records become whole: a note of a deleted user has no author, and one such note must not stop
 * a list. JSON of a record stays as received. Reading throws a ResponseError for an object that has none of the
 * expected fields.
 */
export const wholeRecords = (endpoint: Endpoint, result: CallResult, onOdd: OnOddRecord = ignore): CallResult => {
  const shape = endpoint.returns as Shape | null;
  if (shape === null || endpoint.raw) return result;
  const mayLackAll = endpoint.companion && !interfaceShapes.has((shape.items ?? shape).$id);
  const recordProblem = (value: unknown) => mayLackAll ? null : foreignObject(shape, value);
  return {
    ...result,
    raw: () => {
      const items = result.raw();
      return items && items.length > 0 && recordProblem([items.first()]) !== null ? null : items;
    },
    read: () => {
      const value = result.read();
      const problem = recordProblem(value);
      if (problem !== null) throw responseError(result.exchange, `the response ${problem}`);
      // An id that a write did not report must not look like one of something stored.
      const isStored = endpoint.method === 'GET' || !isParams(value) || (value['id'] ?? null) !== null;
      if (isStored && !leftAsReceived.has(shape.$id)) complete(shape, value, onOdd);
      return value;
    },
  };
};

const ignore = (): void => undefined;

/** Gives each thread without notes one, as the types of the library promise. All else stays as received. */
export const threadsWithNotes = (endpoint: Endpoint, result: CallResult): CallResult => {
  const shape = endpoint.returns as Shape | null;
  const { $id, properties } = shape?.items ?? shape ?? {};
  const noteShape = $id === 'Discussion' ? properties?.['notes']?.items : undefined;
  return noteShape === undefined ? result : {
    ...result,
    read: () => {
      const value = result.read();
      for (const thread of [value].flat()) if (isParams(thread)) addNote(thread, noteShape);
      return value;
    },
  };
};

/** Its id equals no other. */
const addNote = (thread: Params, shape: Shape): void => {
  const received = thread['notes'];
  if (Array.isArray(received) && received.length > 0) return;
  const note: Params = { id: NaN };
  complete(shape, note, ignore);
  const missing = { isAbsent: received === undefined, received, standIn: [note] };
  thread['notes'] = missing.standIn;
  thread['toJSON'] = asReceived(new Map([['notes', missing]]));
};

/** An appearance has the fields of its version, and a stand-in must not pass for the owner of the token. */
const leftAsReceived = new Set<string | undefined>(['Appearance', 'CurrentUser']);

/** An object with fewer than three and fewer than half of its fields is a different one, such as an error. */
const foreignObject = (shape: Shape, value: unknown): string | null => {
  const { items, required = [], properties = {}, $id } = shape;
  if (Array.isArray(value)) {
    const at = items ? value.findIndex((item) => foreignObject(items, item) !== null) : -1;
    return at < 0 ? null : `${foreignObject(items!, value[at])}, at [${at}]`;
  }
  if (!isParams(value) || required.length === 0) return null;
  const isThere = (name: string) => value[name] === null ? withoutNull(properties[name] ?? {})[1] : name in value;
  const count = required.filter(isThere).length;
  const least = interfaceShapes.has($id) ? Math.min(3, required.length / 2) : 1;
  return count < least ? `has ${count === 0 ? 'none' : 'few'} of the expected fields` : null;
};

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly standIn: (() => unknown) | undefined;
}

const complete = (shape: Shape, value: unknown, onOdd: OnOddRecord): void => {
  if (Array.isArray(value)) {
    if (shape.items && isRecordOrList(shape.items)) for (const item of value) complete(shape.items, item, onOdd);
  } else if (isParams(value) && shape.properties) completeRecord(shape, value, onOdd);
};

const completeRecord = (shape: Shape, record: Params, onOdd: OnOddRecord): void => {
  const { id } = record;
  let missing: Map<string, Missing> | null = null;
  for (const { name, shape: inner, standIn } of shapeFields(shape)) {
    const found = record[name];
    if ((found ?? null) !== null) complete(inner, found, onOdd);
    else if (standIn) {
      const one = { isAbsent: !(name in record), received: found, standIn: standIn() };
      if (one.isAbsent || one.standIn !== null) (missing ??= new Map()).set(name, one);
    }
  }
  if (missing === null) return;
  for (const [name, { standIn }] of missing) record[name] = standIn;
  // Copies of the record have it too: a spread copies properties of its own only.
  record['toJSON'] = asReceived(missing);
  const odd = [...missing].filter(([name, one]) => isOdd(shape, name, one)).map(([name]) => name);
  const isId = typeof id === 'string' || typeof id === 'number';
  if (odd.length > 0) onOdd({ kind: shape.$id ?? 'record', id: isId ? id : null, fields: odd });
};

/** Whether to report it: services of other versions lack texts of most records, and nobody misses them. */
const isOdd = ({ $id, properties = {} }: Shape, name: string, { isAbsent, standIn }: Missing): boolean =>
  standIn !== null && (!isAbsent || name === 'id' || isRecordOrList(properties[name]!) || interfaceShapes.has($id));

const interfaceShapes = new Set<string | undefined>(['Note', 'Discussion', 'Epic', 'LinkedEpic']);

interface Missing { readonly isAbsent: boolean; readonly received: unknown; readonly standIn: unknown }

/** Of a record and of its copies, where the stand-ins are still there. */
const asReceived = (missing: ReadonlyMap<string, Missing>) => function (this: Params): Params {
  const { toJSON: _, ...record } = this;
  for (const [name, { isAbsent, received, standIn }] of missing) {
    if (!(name in record) || !isSame(record[name], standIn)) continue;
    if (isAbsent) delete record[name];
    else record[name] = received;
  }
  return record;
};

const isSame = (value: unknown, standIn: unknown): boolean => Object.is(value, standIn)
  || (Array.isArray(value) && Array.isArray(standIn) && value.length === 0);

const fields = new WeakMap<Shape, readonly Field[]>();

const shapeFields = (shape: Shape): readonly Field[] => {
  const known = fields.get(shape);
  if (known) return known;
  const { properties = {}, required = [] } = shape;
  const found = Object.entries(properties).flatMap(([name, given]): Field[] => {
    const [inner, isNullable] = withoutNull(given);
    const standIn = !required.includes(name) ? undefined
      : !isNullable ? standInFor(shape, name, inner) : inner.type === 'integer' ? () => null : undefined;
    return standIn || isRecordOrList(inner) ? [{ name, shape: inner, standIn }] : [];
  });
  fields.set(shape, found);
  return found;
};

const withoutNull = (shape: Shape): readonly [Shape, isNullable: boolean] => {
  const [only, ...others] = (shape.anyOf ?? []).filter(({ type }) => type !== 'null');
  const isNullable = shape.anyOf?.some(({ type }) => type === 'null') ?? false;
  return [only && others.length === 0 ? only : shape, isNullable];
};

const isRecordOrList = ({ type }: Shape): boolean => type === 'object' || type === 'array';

const unknownUser = 'unknown user';

/** Whether a user stands for one that a record lacks. */
export const isUnknownUser = ({ id, username }: { readonly id: number; readonly username: string }): boolean =>
  Number.isNaN(id) && isUnknownName(username);

/** Whether a username stands for one that a user lacks. */
export const isUnknownName = (username: string): boolean => username === unknownUser;

/** The id of an unknown user equals no other id, not even that of another unknown user. Booleans may be missing. */
const standInFor = ({ $id }: Shape, name: string, shape: Shape): (() => unknown) | undefined => {
  const isUser = userShapes.has($id);
  if (isUser && name === 'id') return () => NaN;
  if (isUser && (name === 'name' || name === 'username')) return () => unknownUser;
  if (shape.type === 'string' || shape.anyOf) return () => '';
  if (shape.type === 'integer') return () => 0;
  if (shape.type === 'array') return () => [];
  if (shape.type !== 'object') return undefined;
  return () => {
    const record: Params = {};
    complete(shape, record, ignore);
    return record;
  };
};

const userShapes = new Set<string | undefined>(['User', 'CurrentUser', 'Member']);
