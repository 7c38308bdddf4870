import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAsWritten, markerLength, readMarker, withEditedText, withMarker, withoutMarkers, type Marker,
} from '../../../src/wire/note-text.js';

const names = fc.constantFrom('key', 'id', 'fp', 'newer', 'project', 'run');
const values = fc.oneof(
  fc.string({ unit: 'binary' }), fc.stringMatching(/^[-> !~%<]{0,9}$/), fc.constantFrom('--', '-->', '->', '-', 'a--b', ''));
const markers: fc.Arbitrary<Marker> = fc.dictionary(names, values, { minKeys: 1 });

const lines = fc.constantFrom(
  'Hello.', '', '```', '```ts', '~~~~', '~~~', '  ```', '    ```', '<!-- open', 'closed -->', '<!-- a --> b', '<pre>',
  '</pre>', '/close', '> quoted', '- item', '<!-- colloquy:key=a -->', '<!-- colloquy:', '`<!-- colloquy:key=b -->`', '`colloquy:key=c`', '`colloquy:');
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.array(lines).map((all) => all.join('\n')),
  fc.array(lines).map((all) => all.join('\r\n')));

const withoutHash = (body: string) => body.replace(/ hash=[0-9a-f]{16}\b/, '');

describe('a marker', () => {
  it('is the last line, after an empty line', () => {
    expect(withoutHash(withMarker('Hello.', { key: 'lint' }))).toBe('Hello.\n\n<!-- colloquy:key=lint -->');
  });

  it.each(['```ts\nlet a = 1;', '~~~\n```\n', '<!-- draft', 'a\n\n````\n```\n', '<pre>\na'])(
    'is the first line of a text that leaves a block open: %j', (text) => {
      expect(withoutHash(withMarker(text, { key: 'lint' }))).toBe(`<!-- colloquy:key=lint -->\n\n${text}`);
    });

  it.each(['```ts\nlet a = 1;\n```', '`` ``` ``', '<!-- a -->', 'a <!-- b', '    ```', '``` a`b', '<pre></pre>'])(
    'is the last line of a text that leaves no block open: %j', (text) => {
      expect(withoutHash(withMarker(text, { key: 'lint' }))).toBe(`${text}\n\n<!-- colloquy:key=lint -->`);
    });

  it('is the whole body of an empty text', () => {
    expect(readMarker(withMarker('', { key: 'lint' }))).toMatchObject({ text: '', marker: { key: 'lint' } });
  });

  it('and the text are read back as they were', () => {
    fc.assert(fc.property(texts.map(withoutMarkers), markers, fc.boolean(), (text, marker, isVisible) => {
      const body = withMarker(text, marker, { isVisible });
      expect(readMarker(body)).toEqual({ text, marker, isVisible, hash: expect.any(String) as string });
      expect(isAsWritten(body)).toBe(true);
    }), { numRuns: 2_000 });
  });

  it('is a line of Markdown if it is visible', () => {
    expect(withoutHash(withMarker('Hello.', { key: 'a `b`' }, { isVisible: true }))).toBe('Hello.\n\n`colloquy:key=a%20%60b%60`');
  });

  it('shows whether the text was changed, in spite of what the service removes', () => {
    const body = withMarker('One.\r\n\n/close\n- [ ] Two. ', { key: 'lint' });
    const changed = (text: string) => isAsWritten(body.replace('One.', text));
    expect(isAsWritten(body.replaceAll('\r', '').replace('/close\n', ''))).toBe(true);
    expect(isAsWritten(body.replace('[ ]', '[x]'))).toBe(true);
    expect([changed('My analysis:\n\nOne.'), changed('One!'), changed('')]).toEqual([false, false, false]);
    expect([isAsWritten(withoutHash(body)), isAsWritten('One.')]).toEqual([null, null]);
  });

  it.each([true, false])('stays the same when somebody edits the text, which then counts as changed (visible: %s)', (isVisible) => {
    const body = withMarker('One.', { key: 'lint' }, { isVisible });
    const edited = withEditedText(body, 'Two.');
    expect(edited).toBe(body.replace('One.', 'Two.'));
    expect([isAsWritten(edited), isAsWritten(withEditedText(edited, 'One.'))]).toEqual([false, true]);
    expect(isAsWritten(withEditedText(withoutHash(body), 'Two.'))).toBe(false);
    expect(withEditedText('One.', 'Two.')).toBe('Two.');
  });

  it('contains neither -- nor > before its end, and no reference to a user or a merge request', () => {
    fc.assert(fc.property(markers, (marker) => {
      const inner = withMarker('', marker).slice('<!--'.length, -'-->'.length);
      expect(inner).not.toMatch(/--|[>@#!~&$%](?![0-9A-F]{2})/);
    }));
  });

  it('is found after the service removed carriage returns and trailing white space', () => {
    const body = `${withMarker('a\r\nb \r\n', { key: 'lint' })}\n`;
    expect(readMarker(body.replaceAll('\r', '').trimEnd())).toMatchObject({ text: 'a\nb \n', marker: { key: 'lint' } });
  });

  it('counts in the length limit', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), markers, (text, marker) => {
      expect(withMarker(text, marker).length).toBe(text.length + markerLength(marker));
    }));
  });
});

describe('a comment that is no marker', () => {
  it.each([
    '`<!-- colloquy:key=a -->`', 'a\n<!-- colloquy:key=a -->', 'a\n\n<!-- colloquy:key=a -->\nb',
    '```\n\n<!-- colloquy:key=a -->', '<!-- colloquy:key=%E0 -->', '<!-- colloquy: -->', '<!-- other:key=a -->',
    'a `colloquy:key=a`', 'a\n\n`colloquy:key=a b`', ' <!-- colloquy:key=a -->\n\nb', '<!-- colloquy:key=a -->\nb',
  ])('is text: %j', (body) => {
    expect(readMarker(body).marker).toBeNull();
  });

  it('in a given text is defused by an invisible character', () => {
    const text = 'a\n\n<!-- colloquy:key=a -->';
    expect(readMarker(withoutMarkers(text))).toMatchObject({ text: 'a\n\n<!-- colloquy\u2060:key=a -->', marker: null });
  });

  it('stays defused whatever the text', () => {
    fc.assert(fc.property(texts, (text) => {
      expect(readMarker(withoutMarkers(text))).toMatchObject({ text: withoutMarkers(text), marker: null });
      expect(withoutMarkers(text).replaceAll('\u2060', '')).toBe(text.replaceAll('\u2060', ''));
    }));
  });
});
