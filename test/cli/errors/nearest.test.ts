import { expect, it } from 'vitest';
import { nearest } from '../../../src/cli/errors/nearest.js';

it.each([['discusions', 'discussions'], ['ntoes', 'notes'], ['Body', 'body'], ['creatd_at', 'created_at'], ['xyz', null], ['q', null], ['', null]])(
  'by %s is meant %s', (word, meant) => expect(nearest(word, ['discussions', 'notes', 'body', 'created_at', 'id'])).toBe(meant));
