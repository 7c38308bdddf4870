import { describe, expect, it } from 'vitest';
import { checkFact, withShapes, type FactResult } from '../../src/conformance/run.js';
import type { Got, Probe } from '../../src/conformance/check.js';
import { shapeFacts } from '../../src/contract/behavior/behavior.js';
import type { Fact } from '../../src/contract/behavior/fact.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { openService } from '../../src/server/index.js';
import { advancingClock, checkedWorld, probeOf } from '../support/conformance.js';
import { asText } from '../support/differences.js';
import { sampleOf } from '../support/extent.js';
import { everyRow } from '../support/rows.js';

type Path = readonly (string | number)[];

/** A copy of JSON with the value at a path changed; undefined removes it. */
const changedAt = (json: unknown, [key, ...rest]: Path, work: (value: unknown) => unknown): unknown => {
  if (key === undefined) return work(json);
  const value = (json as Record<string | number, unknown>)[key];
  const changed = rest.length === 0 ? work(value) : changedAt(value, rest, work);
  if (Array.isArray(json)) return json.map((item: unknown, at) => at === key ? changed : item);
  const { [key]: _, ...others } = json as Record<string | number, unknown>;
  return changed === undefined ? others : { ...others, [key]: changed };
};

/** Any keys or values are valid there. */
const isOpen = (path: Path): boolean =>
  path.some((key) => ['commands_changes', 'attachment', 'line_range'].includes(String(key))) || path.at(-2) === 'labels';

/** The paths of all values; of lists, those of the first item. */
const pathsIn = (json: unknown, path: Path = []): readonly Path[] => {
  if (isOpen(path)) return [];
  const inner = Array.isArray(json) ? [[0, json[0]] as const].filter(() => json.length > 0)
    : typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return [path, ...inner.flatMap(([key, value]) => pathsIn(value, [...path, key]))];
};

const valueAt = (json: unknown, path: Path): unknown =>
  path.reduce((value, key) => (value as Record<string | number, unknown>)[key], json);

const ofAnotherType = (value: unknown): unknown =>
  typeof value === 'string' ? 7 : typeof value === 'number' ? String(value) : typeof value === 'boolean' ? 'no' : value === null ? [7] : 'text';

interface Row {
  readonly name: string;
  readonly fact: Fact;
  readonly target: string;
  readonly change: (got: Got) => Partial<Got>;
  readonly severity: FactResult['severity'];
}

/** Another type at each place, and another key, or none, in each object. */
const rowsFor = (fact: Fact, target: string, json: unknown): readonly Row[] => pathsIn(json).flatMap((path) => {
  const value = valueAt(json, path);
  const row = (what: string, severity: Row['severity'], work: (value: unknown) => unknown): Row => ({
    name: `${fact.id}: ${what} at ${path.join('.')}`, fact, target, severity,
    change: (got) => asText(changedAt(got.json, path, work)),
  });
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return [
    row('another type', 'error', () => ofAnotherType(value)),
    ...isObject ? [
      row('an added key', 'info', (object) => ({ ...object as object, colloquy_new: 1 })), row('no keys', 'warning', () => ({})),
    ] : [],
  ];
});

const opened = async (dialect: Dialect) => {
  const service = await openService({ world: checkedWorld, dialect, rateLimit: 1_000_000, now: advancingClock() });
  const probe = await probeOf(service, dialect, 'super');
  const checked = (fact: Fact, call: Probe['call'] = probe.call) => checkFact(fact, withShapes({
    probe: { ...probe, call }, writable: probe.objects, effects: new Set(['none']), version: '18.6', tier: 'ultimate', isChosen: () => true,
  }));
  return { service, probe, checked };
};

describe.each(['document', 'live'] as const)('the facts about shapes, dialect %s', (dialect) => {
  it('find another type, and added and missing keys, at every place of every response that is read', async () => {
    const { service, probe, checked } = await opened(dialect);
    const rows: Row[] = [];
    for (const fact of shapeFacts) {
      let last: Got | null = null;
      const call: Probe['call'] = async (...words) => last = await probe.call(...words);
      if ((await checked(fact, call)).result !== 'pass') continue;
      const { request, json } = last as unknown as Got;
      rows.push(...rowsFor(fact, request, json));
    }
    expect(rows.length).toBeGreaterThan(1_000);
    await everyRow(sampleOf(rows, 11), ({ name }) => name, async ({ fact, target, change, severity }) => {
      const call: Probe['call'] = async (...words) => {
        const got = await probe.call(...words);
        return got.request === target ? { ...got, ...change(got) } : got;
      };
      const { result, severity: found } = await checked(fact, call);
      expect([result, found]).toEqual(['fail', severity]);
    });
    await service.close();
  });
});
