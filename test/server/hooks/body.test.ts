import { expect, test } from 'vitest';
import { editionOf } from '../../../src/contract/behavior/fact.js';
import { deliversEdits } from '../../../src/server/hooks/body.js';

test.each([['document', '13.12', true], ['live', '16.10', false], ['live', '16.11', true], ['live', '18.0', true]] as const)(
  'edits in the dialect %s of version %s are delivered: %s', (dialect, version, expected) => {
    expect(deliversEdits(editionOf(dialect, version))).toBe(expected);
  });
