import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyBuffer } from '../../../src/client/transport/response-body.js';

test('a body is the concatenation of its chunks, whatever content-length says', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 });
  const told = fc.oneof(fc.constant(undefined), fc.nat(120).map(String), fc.constantFrom('', '-1', 'many', '9'.repeat(20), '5, 5'));
  fc.assert(fc.property(pieces, told, (all, header) => {
    const body = createBodyBuffer(header);
    for (const piece of all) body.add(piece);
    const whole = Buffer.concat(all);
    expect(Buffer.compare(body.bytes(), whole)).toBe(0);
    expect(body.length()).toBe(whole.length);
  }), { numRuns: 1_000 });
});
