import { describe, expect, it } from 'vitest';
import { numberIn } from '../../../../../src/cli/notes/findings/finding.js';
import { parseXml, readCheckstyle, rootNamed } from '../../../../../src/cli/notes/findings/readers/xml.js';
import { readText } from '../../../../support/reports.js';

const rejection = (message: string, place: string) => expect.objectContaining({ name: 'ReportError', message, place }) as Error;

describe('an XML document', () => {
  it('becomes elements with their lines, attributes and own text', () => {
    const root = parseXml('\uFEFF<?xml version="1.0"?>\n<a x="1">one<b/>\n<c>two</c> three</a>');
    expect(root).toMatchObject({ name: 'a', line: 2, attributes: { x: '1' }, text: 'one\n three' });
    expect(root.children.map(({ name, line, text }) => `${name} ${line} ${text}`)).toEqual(['b 2 ', 'c 3 two']);
  });

  it('may begin with empty lines, which count', () => {
    expect(parseXml('\n \n<?xml version="1.0" encoding="UTF-8"?>\n<a/>')).toMatchObject({ name: 'a', line: 4 });
  });

  it('may contain sections of characters and the entities of XML itself', () => {
    expect(parseXml('<a b="&quot;&#65;"><![CDATA[1 < 2 && ]]>&lt;&amp;</a>')).toMatchObject({ attributes: { b: '"A' }, text: '1 < 2 && <&' });
  });

  it('may be nested 100 deep', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(parseXml(nested(100)).children).toHaveLength(1);
    expect(() => parseXml(nested(101))).toThrow(rejection('elements are nested more than 100 deep', 'line 1'));
  });

  it.each([
    ['<a>\n<b></a>', 'invalid XML: unexpected close tag', 'line 2'],
    ['<a>\n<b>', 'invalid XML: unclosed tag: b', 'line 2'],
    ['<a>&unknown;</a>', 'invalid XML: undefined entity', 'line 1'],
  ])('is rejected with its line: %j', (source, message, place) => {
    expect(() => parseXml(source)).toThrow(expect.objectContaining({
      name: 'ReportError', place, message: expect.stringContaining(message) as string }) as Error);
  });

  it.each([
    ['<a b="x&#27;[31my&#0;"/>', 'x\u001b[31my\u0000', ''], ['<a b="\u001b[1mx"/>', '\u001b[1mx', ''],
    ['<a b="1">\u0000x\u001by\ufffe</a>', '1', '\u0000x\u001by\ufffe'], ['<a b="1"><![CDATA[\u001b[0m&#27;]]>&#x1B;</a>', '1', '\u001b[0m&#27;\u001b'],
    ['<a b="&#xD83D;&#xDE00;&#xD83D;">&#55357;</a>', '😀\ufffd', '\ufffd'], ['<a b="1">&amp;#27;</a>', '1', '&#27;'],
  ])('may contain characters that XML does not allow: %j', (source, b, text) => {
    expect(parseXml(source)).toMatchObject({ attributes: { b }, text });
  });

  it('has no such characters in its tags, and no numbers of no character', () => {
    expect(() => parseXml('<a\u001b/>')).toThrow('invalid XML: disallowed character');
    expect(() => parseXml('<a b="\u001b<"/>')).toThrow(rejection('invalid XML: disallowed character.', 'line 1'));
    expect(() => parseXml('<a>&#1114112;</a>')).toThrow('invalid XML: malformed character entity');
    expect(() => parseXml(`<a>${'<![CDATA['.repeat(50_000)}`)).toThrow('invalid XML');
  });

  it('may have a type that is only a name', () => {
    expect(parseXml('<?xml version="1.0"?>\n<!DOCTYPE checkstyle >\n<checkstyle/>')).toMatchObject({ name: 'checkstyle', line: 3 });
    expect(() => parseXml('<!DOCTYPE checkstyle>\n<checkstyle>&x;</checkstyle>')).toThrow('invalid XML: undefined entity');
  });

  it.each(['a []', 'a PUBLIC "x" "y"', 'a SYSTEM "x"', 'a[<!ENTITY b "c">]'])('cannot have another type: %s', (type) => {
    expect(() => parseXml(`<!DOCTYPE ${type}>\n<a/>`)).toThrow(rejection('document types are not supported', 'line 1'));
  });

  it('declares no entities', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]>\n<checkstyle><file name="&y;"/></checkstyle>';
    await expect(readText('checkstyle', bomb)).rejects.toThrow('report: line 1: document types are not supported');
    const external = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><checkstyle/>';
    await expect(readText('checkstyle', external)).rejects.toThrow('document types are not supported');
  });
});

it('rootNamed rejects another root and lists the expected ones', () => {
  expect(rootNamed('<b/>', 'a', 'b').name).toBe('b');
  expect(() => rootNamed('\n<c/>', 'a', 'b')).toThrow(rejection('expected <a> or <b>, got <c>', 'line 2'));
});

it('an attribute that is missing is rejected, and an empty one is accepted', () => {
  const named = '<checkstyle><file name=""><error message="no"/></file></checkstyle>';
  expect(readCheckstyle(named).findings).toMatchObject([{ file: '', message: 'no' }]);
  expect(() => readCheckstyle('<checkstyle>\n<file/></checkstyle>')).toThrow(rejection('expected the attribute name on <file>', 'line 2'));
});

it.each([
  ['12', 12], [' 7 ', 7], ['999999999', 999_999_999], ['9999999999', null], ['0', null], ['-1', null], ['1.5', null], ['', null], ['x', null],
  [undefined, null],
])('the line or column %j is the number %j', (text, number) => {
  expect(numberIn(text)).toBe(number);
});
