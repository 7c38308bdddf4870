/** What of a JSON Schema is looked at. */
export interface Shape {
  readonly type?: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

/** What is wrong, and where. */
interface Misfit { readonly place: string; readonly words: string }

/** Every answer passes here: places are put together only on the way back from what does not fit. */
type Check = (value: unknown, whole: boolean) => Misfit | null;

type Objects = Readonly<Record<string, unknown>>;

/**
 * What keeps a value from being read as a shape, in words, or null. Only what a reader would stumble over: objects and
 * lists where they belong, and the ids. Fields and words nobody knows yet pass, and whatever else a scalar may be.
 * @param whole whether what a reader needs has to be there; what is there has to fit in any case
 */
export const misfit = (shape: Shape, value: unknown, whole: boolean): string | null => {
  const found = checkOf(shape)?.(value, whole)
    ?? (whole ? withoutId(shape, value) ?? withoutFields(shape, value) : null);
  return found && found.words + (found.place && `, at ${found.place}`);
};

/** The things asked for have their ids; what they hold may do without. */
const withoutId = ({ items, required = [] }: Shape, value: unknown): Misfit | null => {
  if (Array.isArray(value)) {
    const at = items?.required?.includes('id') ? value.findIndex(hasNoId) : -1;
    return at < 0 ? null : within(`[${at}]`, noId);
  }
  return required.includes('id') && hasNoId(value) ? noId : null;
};

/** An object with none of the fields that it should have is another one, such as the words of a failure. */
const withoutFields = ({ required = [] }: Shape, value: unknown): Misfit | null =>
  required.length === 0 || required.some((name) => name in (value as Objects)) ? null
    : { place: '', words: 'has none of the fields that are expected' };

const noId: Misfit = { place: 'id', words: 'has nothing where an id is expected' };

const hasNoId = (thing: unknown): boolean => ((thing as Objects)['id'] ?? null) === null;

const known = new WeakMap<Shape, Check | null>();

/** The check for a shape, made once; null where anything will do. */
const checkOf = (shape: Shape): Check | null => {
  const made = known.get(shape);
  if (made !== undefined) return made;
  const check = checkFor(shape);
  known.set(shape, check);
  return check;
};

const checkFor = ({ type, items = {}, properties, required = [], anyOf = [] }: Shape): Check | null => {
  const [only, ...others] = anyOf.filter((each) => each.type !== 'null');
  if (only) return others.length === 0 ? orNull(checkOf(only)) : null;
  if (type === 'array') return list(checkOf(items));
  return type === 'object' && properties ? object(properties, required) : null;
};

const orNull = (check: Check | null): Check | null =>
  check && ((value, whole) => value === null ? null : check(value, whole));

const list = (check: Check | null): Check => (value, whole) => {
  if (!Array.isArray(value)) return wrong(value, 'a list');
  for (let i = 0; check && i < value.length; i++) {
    const found = check(value[i], whole);
    if (found) return within(`[${i}]`, found);
  }
  return null;
};

const object = (properties: Readonly<Record<string, Shape>>, required: readonly string[]): Check => {
  const fields = Object.entries(properties).flatMap(([name, shape]) => {
    const check = name === 'id' ? id : checkOf(shape);
    const isDemanded = required.includes(name);
    return check ? [{ name, check, isDemanded, isRead: isDemanded && isRead(shape) }] : [];
  });
  return (value, whole) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(value, 'an object');
    for (const { name, check, isDemanded, isRead } of fields) {
      const given = (value as Objects)[name];
      const mayBeMissing = given === null ? !isDemanded : given === undefined && !(whole && isRead);
      const found = mayBeMissing ? null : check(given, whole);
      if (found) return within(name, found);
    }
    return null;
  };
};

/** What is read without a second look: objects, and lists of what is known. */
const isRead = ({ type, items }: Shape): boolean => type === 'object' || items?.type !== undefined;

/** Past 2^53 two ids look the same: one would be taken for the other. */
const id: Check = (value) => typeof value !== 'number' || Number.isSafeInteger(value) ? null
  : { place: '', words: 'has a number too large to be read to the last digit' };

const within = (outer: string, { place, words }: Misfit): Misfit =>
  ({ words, place: outer + (place === '' || place.startsWith('[') ? place : `.${place}`) });

const wrong = (value: unknown, wanted: string): Misfit =>
  ({ place: '', words: `has ${nameOf(value)} where ${wanted} is expected` });

const nameOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
};
