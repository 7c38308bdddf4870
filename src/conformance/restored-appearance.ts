import type { Check, Probe } from './check.js';

const path = '/application/appearance';

/** Files, which a value of JSON cannot restore. */
const images: ReadonlySet<string> = new Set(['logo', 'header_logo', 'favicon', 'pwa_icon']);

type Values = Readonly<Record<string, unknown>>;

const valuesIn = (json: unknown): Values | null => typeof json === 'object' && json !== null ? json as Values : null;

/** Restores the fields that the check has changed when it ends: the service accepted a wrong value. */
export const writingAppearance = (run: Check['run']): Check => ({
  effect: 'appearance',
  run: async (probe) => {
    let before: Values | null = null;
    const changed = new Map<string, unknown>();
    const call: Probe['call'] = async (method, target, sent = {}) => {
      const got = await probe.call(method, target, sent);
      if (target !== path || got.status >= 300) return got;
      if (method === 'GET') before ??= valuesIn(got.json);
      for (const [field, value] of method === 'PUT' ? Object.entries(valuesIn(sent.json) ?? {}) : []) {
        if (before && value !== before[field] && !images.has(field)) changed.set(field, before[field]);
      }
      return got;
    };
    try {
      await run({ ...probe, call });
    } finally {
      if (changed.size > 0) await probe.call('PUT', path, { json: Object.fromEntries(changed), isCleanUp: true });
    }
  },
});
