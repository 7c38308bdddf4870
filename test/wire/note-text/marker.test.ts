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

describe('a marker with text of a person below', () => {
  const hash = 'a'.repeat(16);

  it.each([['an empty line', '\n\n'], ['an empty line with carriage return', '\r\n\r\n'], ['a line break', '\n'], ['nothing', ''], ['a space', ' ']])(
    'counts after %s, and the text as changed', (_, between) => {
      for (const isVisible of [false, true]) {
        const body = `${withMarker('One.', { key: 'lint' }, { isVisible })}${between}Two.`;
        expect(readMarker(body)).toMatchObject({ text: 'One.\n\nTwo.', marker: { key: 'lint' }, isVisible });
        expect(isAsWritten(body)).toBe(false);
        expect(readMarker(withEditedText(body, 'Three.'))).toMatchObject({ text: 'Three.', marker: { key: 'lint' } });
      }
    });

  const around = [['', '\n\nTwo.'], ['Zero.\n\n', '\n\nTwo.'], ['Zero.\n\n', ''], ['', '']] as const;

  it.each(around)('counts above a block that is open, between %j and %j', (above, below) => {
    const body = `${above}${withMarker('```\nOne.', { key: 'lint' })}${below}`;
    expect(readMarker(body)).toMatchObject({ text: `${above}\`\`\`\nOne.${below}`, marker: { key: 'lint' } });
    expect(isAsWritten(body)).toBe(above + below === '');
  });

  it('keeps the spaces of a block of code', () => {
    expect(readMarker(`${withMarker('One.', { key: 'lint' })}\n\n    code`).text).toBe('One.\n\n    code');
  });

  it('is part of the text in code, in a quote, in a comment, within a line or without a digest', () => {
    const line = `<!-- colloquy:key=b hash=${hash} -->`;
    for (const text of [
      `a\n\n\`\`\`\n\n${line}\n\`\`\`\n\nb`, `a\n\n    ${line}\n\nb`, `a\n\n> ${line}\n\nb`, `a\n\n<!--\n\n${line}\nb`,
      `a\n\nb ${line}\n\nc`, `a\n${line}\n\nb`, 'a\n\n<!-- colloquy:key=b -->\n\nc', `a\n\n<!-- colloquy:key=%E0 hash=${hash} -->\n\nb`,
    ]) expect(readMarker(text)).toEqual({ text, marker: null, hash: null, isVisible: false });
  });

  it('is that of the note below which or above which a person pasted another', () => {
    const [own, other] = [withMarker('Own.', { key: 'own' }), withMarker('Other.', { key: 'other' })];
    const code = `\`\`\`\n\n${other}\n\`\`\``;
    const [below, moreBelow, above, quoted] = [`${own}\n\n${other}`, `${own}\n\nSee:\n\n${other}\n\nMine.`, `See:\n\n${other}\n\n${own}`,
      `${own}\n\n${code}`];
    expect([below, moreBelow, above, quoted].map((body) => readMarker(body).marker?.['key'])).toEqual(['own', 'own', 'own', 'own']);
    expect([below, moreBelow, above, quoted].map(isAsWritten)).toEqual([false, false, false, false]);
    expect(readMarker(quoted).text).toBe(`Own.\n\n${code}`);
    expect(readMarker(`Changed ${below}`).marker).toEqual({ key: 'other' });
  });

  it('is found in time among as many as a text can have', () => {
    const body = `${`<!-- colloquy:key=a hash=${hash} -->\n\n`.repeat(20_000)}b`;
    expect(readMarker(body).marker).toEqual({ key: 'a' });
  });
});

describe('a comment that is no marker', () => {
  it.each([
    '`<!-- colloquy:key=a -->`', 'a\n<!-- colloquy:key=a -->', 'a\n\n<!-- colloquy:key=a -->\nb', 'a\n\n<!-- colloquy:key=a -->\n\nb',
    '```\n\n<!-- colloquy:key=a -->', '<!-- colloquy:key=%E0 -->', '<!-- colloquy: -->', '<!-- other:key=a -->',
    'a `colloquy:key=a`', 'a\n\n`colloquy:key=a b`', ' <!-- colloquy:key=a -->\n\nb', '<!-- colloquy:key=a -->\nb',
  ])('is text: %j', (body) => {
    expect(readMarker(body).marker).toBeNull();
  });

  it('in a given text is defused by an invisible character', () => {
    const text = 'a\n\n<!-- colloquy:key=a -->';
    expect(readMarker(withoutMarkers(text))).toMatchObject({ text: 'a\n\n<!-- colloquy\u2060:key=a -->', marker: null });
  });

  it('is not made by deleted carriage returns either, which some services do', () => {
    const texts = ['a\n\n<!-- col\rloquy:key=a -->', 'a\n\n<!\r-- colloquy\r\r:key=a -->', 'a\n\n`colloquy:k\rey=a`', 'a\n\n\r`colloquy\r-st\rart:key=a`'];
    for (const text of texts) expect(readMarker(withoutMarkers(text).replaceAll('\r', '')), text).toMatchObject({ marker: null });
    for (const text of texts) expect(withoutMarkers(text).replaceAll('\r', '')).toMatch(/colloquy\u2060/);
  });

  it('stays defused whatever the text', () => {
    fc.assert(fc.property(texts, (text) => {
      expect(readMarker(withoutMarkers(text))).toMatchObject({ text: withoutMarkers(text), marker: null });
      expect(withoutMarkers(text).replaceAll('\u2060', '')).toBe(text.replaceAll('\u2060', ''));
    }));
  });
});
