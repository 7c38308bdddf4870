import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { demoWorld, openService } from '../../src/server/index.js';
import { shapeProblems, withoutNulls } from '../../src/server/world-file/validate.js';
import { worlds } from '../server/world-file/worlds.js';
import { runsOf } from '../support/extent.js';
import { blocksOf, newProject, page, root, type Project } from './blocks.js';

interface Definition { readonly properties: Readonly<Record<string, unknown>>; readonly description: string; readonly required?: readonly string[] }
interface Schema extends Definition { readonly definitions: Readonly<Record<string, Definition>> }

const schema = JSON.parse(page('docs/world.schema.json')) as Schema;
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const accepts = ajv.compile(schema);

const topLevel = new RegExp(`^(${Object.keys(schema.properties).join('|')}):`, 'm');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const examples = pages.flatMap((path) => blocksOf(path, 'yaml').filter((block) => topLevel.test(block))
  .map((block) => [`${path}: ${block.split('\n').slice(0, 3).join(' / ')}`, block] as const));

let project: Project;
beforeEach(() => { project = newProject(); });
afterEach(() => project.remove());

describe('the example worlds in the documentation', () => {
  it('are found', () => expect(examples.length).toBeGreaterThan(6));

  it.each(examples)('are valid and load: %s', async (_, text) => {
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
    project.write('logo.png', 'an image');
    project.write('world.yaml', text);
    await (await openService({ world: join(project.folder, 'world.yaml') })).close();
  });

  it('use every key that a world file has', () => {
    const all = examples.map(([, text]) => text).join('\n');
    const keys = [schema, ...Object.values(schema.definitions)].flatMap(({ properties }) => Object.keys(properties));
    expect(keys.filter((key) => !new RegExp(`\\b${key}: `).test(all) && !new RegExp(`\\b${key}:$`, 'm').test(all))).toEqual([]);
  });

  it('name the schema where an installed package has it', () => {
    const named = [...page('docs/world-file.md').matchAll(/\$schema=\.\/(\S+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) expect(existsSync(join(project.folder, path)), path).toBe(true);
    const { files } = JSON.parse(page('package.json')) as { readonly files: readonly string[] };
    expect(files).toEqual(expect.arrayContaining(named.map((path) => path.replace('node_modules/colloquy/', ''))));
  });
});

it('the tables of world files name the keys of objects whose keys are free', () => {
  const rows = page('docs/world-file.md').split('\n').filter((line) => /^\| `(?:members|files|base_files)`/.test(line));
  expect(new Set(rows.map((line) => line.split(':', 1)[0]))).toEqual(
    new Set(['| `members` | username', '| `files` | path', '| `base_files` | path']));
});

describe('the schema of world files', () => {
  it('describes every object and key', () => {
    for (const { description, properties } of [schema, ...Object.values(schema.definitions)]) {
      const texts = [description, ...Object.values(properties).map((key) => (key as Definition).description)];
      for (const text of texts) expect(text).toMatch(/^\S/);
    }
  });

  it('accepts the demo world', () => expect(accepts(demoWorld), JSON.stringify(accepts.errors)).toBe(true));

  it('accepts every world that the server accepts', () => {
    fc.assert(fc.property(worlds, (world) => {
      expect(accepts(world), JSON.stringify(accepts.errors)).toBe(true);
    }), { numRuns: runsOf(200) });
  });

  it('accepts null for every key but those that are required, and no thread without notes', () => {
    for (const { properties, required = [] } of [schema, ...Object.values(schema.definitions)]) {
      for (const [key, part] of Object.entries(properties)) {
        expect([key, ajv.validate({ ...part as object, definitions: schema.definitions }, null)]).toEqual([key, !required.includes(key)]);
      }
    }
    const projects = (project: object) => ({ projects: [{ path: 'acme/app', ...project }] });
    const cases: (readonly [world: object, isServed: boolean])[] = [
      [projects({ members: { ada: null }, files: { a: null } }), true], [projects({ labels: [null] }), false],
      [projects({ issues: [{ discussions: [{ notes: [] }] }] }), false], [projects({ issues: [{ discussions: [{ notes: null }] }] }), true],
    ];
    for (const [world, isServed] of cases) {
      expect([world, shapeProblems(withoutNulls(world)).length === 0, accepts(world)]).toEqual([world, isServed, isServed]);
    }
  });

  it('rejects values only if the server rejects them, and unknown keys and wrong types as the server does', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant([]), fc.constant(null), fc.constant({ unknown: 1 }));
    fc.assert(fc.property(worlds, fc.nat(), value, (world, at, other) => {
      const { changed, kind } = withChange(world, at, other);
      const isServed = shapeProblems(withoutNulls(changed)).length === 0;
      expect(kind === 'text' ? [true, isServed] : [isServed]).toContain(accepts(changed));
    }), { numRuns: runsOf(500) });
  });
});

/** A copy of a world with one value replaced, and the kind of the new value. */
const withChange = (world: unknown, at: number, other: unknown): { changed: unknown; kind: string } => {
  const changed = structuredClone(world);
  const places: { readonly parent: Record<string, unknown>; readonly key: string }[] = [];
  const visit = (parent: unknown): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [key, part] of Object.entries(parent)) {
      if (key === 'logo') continue;
      places.push({ parent: parent as Record<string, unknown>, key });
      visit(part);
    }
  };
  visit(changed);
  const place = places[at % places.length]!;
  place.parent[place.key] = other;
  return { changed, kind: typeof other === 'string' ? 'text' : 'other' };
};
