import { FormatRegistry, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { Epic } from '../../../src/contract/epics.js';
import { exampleOf } from '../../../src/contract/openapi/schemas.js';
import { Note } from '../../../src/contract/shapes/note.js';
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

FormatRegistry.Set('date-time', (text) => new Date(text).toISOString() === text);
FormatRegistry.Set('date', (text) => /^\d{4}-\d\d-\d\d$/.test(text));
FormatRegistry.Set('uri', (text) => URL.canParse(text));

const answers = everyEndpoint().flatMap(({ name, endpoint }) =>
  endpoint.returns ? [[name, endpoint.returns] as const] : []);

describe('an example', () => {
  it.each(answers)('matches the result of %s', (_, shape) => {
    expect([...Value.Errors(shape, exampleOf(shape))]).toEqual([]);
  });

  it('is the same every time', () => expect(exampleOf(Note)).toEqual(exampleOf(Note)));

  it('has all fields of the document dialect and no others', () => {
    expect(exampleOf(Epic)).toMatchObject({ end_date: '2024-05-01', due_date_fixed: '2024-05-01', labels: [null] });
    expect(exampleOf(Epic)).not.toHaveProperty('web_url');
    expect(exampleOf(Note)).not.toHaveProperty('resolved_at');
  });

  it('of a file contains bytes', () => {
    const { appearance } = Object.fromEntries(everyEndpoint().map(({ name, endpoint }) => [name.split('.')[0], endpoint]));
    expect(exampleOf(appearance!.params['logo']!.shape)).toMatchObject({ filename: 'logo.png', bytes: expect.any(Uint8Array) });
  });

  it('of any other text is the name of its field', () => expect(exampleOf(Type.String(), 'header_message')).toBe('header message'));
});
