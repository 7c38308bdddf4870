import type { Dialect } from '../../../contract/endpoint.js';
import { noteableKinds } from '../../../contract/noteables.js';
import { isObject } from '../../../wire/json-object.js';
import type { Objects, Probe } from '../../../conformance/check.js';

type Call = Probe['call'];

/** The version of a service as `17.5`; null if it does not say. */
export const instanceVersion = async (call: Call): Promise<string | null> => {
  const { status, json } = await call('GET', '/version');
  const text = status === 200 && isObject(json) ? String(json['version']) : '';
  return /^(\d+\.\d+)(?:\.|$)/.exec(text)?.[1] ?? null;
};

/** By the first note that can be read: only today's service says whether a note is confidential. */
export const instanceDialect = async (call: Call, objects: Objects): Promise<Dialect> => {
  for (const path of noteableKinds.flatMap((kind) => objects[kind] ?? [])) {
    const { status, text } = await call('GET', `${path}/discussions`, { query: 'per_page=1' });
    if (status === 200 && text.includes('"noteable_type":')) {
      return text.includes('"confidential":') || text.includes('"internal":') ? 'live' : 'document';
    }
  }
  return 'live';
};
