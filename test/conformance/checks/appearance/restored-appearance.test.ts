import { describe, expect, it } from 'vitest';
import type { Got, Probe, Sent } from '../../../../src/conformance/check.js';
import { checks } from '../../../../src/conformance/run.js';
import { isObject } from '../../../../src/wire/json.js';

/** A service that accepts every appearance. */
const careless = () => {
  const appearance: Record<string, unknown> = {
    title: 'Acme', logo: '/logo.png', message_font_color: '#FFFFFF', email_header_and_footer_enabled: false, profile_image_guidelines: 'Faces only.',
  };
  const written: unknown[] = [];
  const call = async (method: string, path: string, { json }: Sent = {}): Promise<Got> => {
    if (method === 'PUT' && isObject(json)) Object.assign(appearance, written.push(json) > 0 ? json : {});
    const state = { ...appearance };
    return { request: `${method} ${path}`, status: 200, headers: {}, text: JSON.stringify(state), json: state };
  };
  const probe: Probe = {
    dialect: 'live', call,
    objects: { project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null },
  };
  return { probe, appearance, written };
};

describe('a check of the appearance', () => {
  it.each(['appearance.wrong-color', 'appearance.wrong-switch', 'appearance.guidelines'] as const)(
    'restores what should have been rejected: %s', async (id) => {
      const { probe, appearance, written } = careless();
      const before = { ...appearance };
      await expect(checks[id]!.run(probe)).rejects.toThrow('expected status 400');
      expect(written.length).toBe(2);
      expect(appearance).toEqual(before);
    });

  it('writes no images', async () => {
    const { probe, written } = careless();
    await expect(checks['parameters.file-text']!.run(probe)).rejects.toThrow('expected status 400');
    expect(written).toEqual([{ logo: 'logo.png' }]);
  });

  it('writes nothing again that was as before', async () => {
    const { probe, written } = careless();
    await checks['appearance.nothing']!.run(probe);
    await checks['appearance.omitted']!.run(probe);
    expect(written).toEqual([{}, { title: 'Acme' }]);
  });
});
