import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarker, visibleText, withMarker, withoutMarkers, type Marker } from '../../src/wire/note-text.js';
import { paragraphValues, partText, printShared, readShared, type Paragraph, type Section } from '../../src/wire/shared-text.js';
import { runsOf } from '../support/extent.js';

const lines = fc.constantFrom(
  'Hello.', '', ' ', '    code', '```', '```ts', '~~~~', '<!-- open', 'closed -->', '<pre>', '</pre>', '<!-- colloquy:key=a -->',
  '<!-- colloquy-start:section=a -->', '<!-- colloquy-end:section=a -->', '`colloquy-end:section=a`', '`colloquy-start:section=b`', '- item');
const texts = fc.oneof(fc.array(lines).map((all) => all.join('\n')), fc.array(lines).map((all) => all.join('\r\n')), fc.string({ unit: 'binary' }))
  .map((text) => partText(withoutMarkers(text)));
const markers: fc.Arbitrary<Marker> = fc.dictionary(fc.constantFrom('id', 'newer', 'project', 'job', 'run'), fc.string({ unit: 'grapheme' }));
const sections: fc.Arbitrary<Section> = fc.record({ name: fc.string({ minLength: 1, unit: 'grapheme' }), text: texts, values: markers });
const paragraphs: fc.Arbitrary<readonly Paragraph[]> = fc.uniqueArray(
  fc.record({ run: fc.stringMatching(/^\w{1,9}$/), text: texts.filter((text) => text !== '') }), { selector: ({ run }) => run, maxLength: 5 });

describe('the text of a note that several programs write', () => {
  it('is read back as it was printed', () => {
    fc.assert(fc.property(fc.array(sections, { minLength: 1 }), paragraphs, texts, fc.boolean(), fc.boolean(), (all, last, mine, isVisible, hasLinks) => {
      const blocks = [...(mine === '' ? [] : [mine]), ...all];
      const text = printShared({ blocks, paragraphs: last }, hasLinks ? 'Jobs: [a](b)' : '', isVisible);
      const body = withMarker(text, { key: 'lint', ...paragraphValues(last) }, { isVisible });
      const { text: read, marker } = readMarker(body);
      expect(readShared(read, marker!)).toEqual({ blocks, paragraphs: last });
      expect(visibleText(body)).not.toContain('colloquy-');
    }), { numRuns: runsOf(2_000) });
  });

  it('without sections is read back with its paragraphs', () => {
    fc.assert(fc.property(paragraphs, (last) => {
      const text = printShared({ blocks: [], paragraphs: last }, '', false);
      expect(readShared(text, paragraphValues(last)).paragraphs).toEqual(last);
    }));
  });

  it('loses no word, whatever markers a person removes', () => {
    const blocks = ['one', { name: 'a', text: 'two', values: {} }, 'three', { name: 'b', text: 'four', values: {} }];
    const all = printShared({ blocks, paragraphs: [] }, '', false).split('\n\n');
    fc.assert(fc.property(fc.subarray(all), (kept) => {
      const { blocks: read } = readShared(kept.join('\n\n'), {});
      const words = read.flatMap((block) => (typeof block === 'string' ? block : block.text).split(/\s+/)).filter((word) => word !== '');
      expect(words).toEqual(kept.filter((line) => !line.startsWith('<!--')));
    }));
  });
});

describe('a paragraph', () => {
  it('is unknown where somebody changed the text', () => {
    const values = { run: 'a.b', size: '4.4' };
    expect(readShared('One.\n\nTwo.', values)).toEqual({ blocks: [], paragraphs: [{ run: 'a', text: 'One.' }, { run: 'b', text: 'Two.' }] });
    expect(readShared('Old.\n\nOne.\n\nTwo.', values).blocks).toEqual(['Old.']);
    expect(readShared('One.\n\nTwo!!', values)).toEqual({ blocks: ['One.\n\nTwo!!'], paragraphs: [{ run: 'a', text: null }, { run: 'b', text: null }] });
    expect(readShared('One.\n\nTwo.', { run: 'a.b' }).paragraphs).toEqual([{ run: 'a', text: null }, { run: 'b', text: null }]);
    expect(readShared('', { run: 'a', size: 'NaN.-1.0.999999' })).toEqual({ blocks: [], paragraphs: [{ run: 'a', text: null }] });
  });
});

describe('the text of a part', () => {
  it.each([
    ['a\n```ts\nb', 'a\n```ts\nb\n```'], ['~~~~\na\n~~~', '~~~~\na\n~~~\n~~~~'], ['<!-- a', '<!-- a\n-->'], ['<PRE>\na', '<PRE>\na\n</PRE>'],
    ['\n\n    code\r\n\r\n', '    code'], ['```\na\n```\n', '```\na\n```'],
  ])('ends the block that it leaves open: %j', (text, part) => {
    expect(partText(text)).toBe(part);
    expect(partText(part)).toBe(part);
  });
});
