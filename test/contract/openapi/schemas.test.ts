import { describe, expect, it } from 'vitest';
import { document, text } from '../../support/openapi.js';

describe('the OpenAPI document', () => {
  it('has no union with a schema that accepts everything', () => {
    expect(text).not.toMatch(/"(any|one)Of":\[[^\]]*\{\}/);
  });

  it('has only references to existing components', () => {
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const target = reference.split('/').slice(1).reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect(target, reference).toBeTypeOf('object');
    }
  });
});
