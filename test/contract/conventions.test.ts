import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as conventions from '../../src/contract/conventions.js';
import { completeVersion, hasSince } from '../../src/contract/conventions.js';

const { accessLevels, discussionIdPattern, isStorableText, pageHeaders, rateHeaders, tierFeatures, tokenHeader } = conventions;

describe('a text that can be stored', () => {
  it.each(['', 'a', 'ä😀', '\r\n\t', '\u0001', '\ufeff', '\ufffd', '\udbff\udfff'])('may be %j', (text) => expect(isStorableText(text)).toBe(true));

  it.each(['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', '😀'.slice(0, 1)])('is not %j', (text) => expect(isStorableText(text)).toBe(false));

  it('is the same after it was written as UTF-8, and read', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(isStorableText(text)).toBe(!text.includes('\0'));
      expect(Buffer.from(text).toString() === text).toBe(true);
    }));
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 4 }), (units) => {
      const text = String.fromCharCode(...units);
      expect(isStorableText(text)).toBe(Buffer.from(text).toString() === text);
    }));
  });
});

describe('a thread id', () => {
  it.each(['0'.repeat(40), '0123456789abcdef'.repeat(3).slice(0, 40)])('is %s', (id) => expect(discussionIdPattern.test(id)).toBe(true));

  it.each(['', '0'.repeat(39), '0'.repeat(41), `${'0'.repeat(39)}A`, `${'0'.repeat(39)}g`, `${'0'.repeat(40)}\n`, ` ${'0'.repeat(39)}`])(
    'is not %j', (id) => expect(discussionIdPattern.test(id)).toBe(false));
});

describe('the conventions', () => {
  it('name headers in lower case, as requests and responses do', () => {
    const names = [tokenHeader, conventions.sudoName, ...Object.values(pageHeaders), ...Object.values(rateHeaders)];
    expect(names.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('give each tier all that the one below it has', () => {
    const counts = (['free', 'premium', 'ultimate'] as const).map((tier) => Object.values(tierFeatures[tier]).filter(Boolean).length);
    expect(counts).toEqual([0, 1, 2]);
    expect(tierFeatures.premium.epics).toBe(true);
  });

  it('have higher numbers for roles with more rights', () => {
    const levels = Object.values(accessLevels);
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(Object.keys(accessLevels)).toEqual(['guest', 'reporter', 'developer', 'maintainer', 'owner']);
  });
});

describe('a version of the service', () => {
  it.each([['12.7', '12.7.0-ee'], ['12.7.3', '12.7.3-ee'], ['12.7-ce', '12.7.0-ce'], ['13.12.0-rc1-ee', '13.12.0-rc1-ee']])(
    'is completed: %s', (given, complete) => {
      expect(completeVersion(given)).toBe(complete);
    });

  it.each(['', '12', 'v12.7', '12.7.', '12.7.0.1', '12.7\n', '12.7 ', '12.7.0-EE', '-1.2', '99999.1'])('is invalid: %j', (given) => {
    expect(completeVersion(given)).toBeUndefined();
  });

  it.each([
    ['12.7.0-ee', '12.7', true], ['12.6.9-ee', '12.7', false], ['12.10.0', '12.7', true], ['13.0.0', '12.7', true],
    ['9.99.0', '11.8', false], ['1.0', undefined, true],
  ])('%s has what is new in %s: %s', (version, since, expected) => {
    expect(hasSince(version, since)).toBe(expected);
  });
});
