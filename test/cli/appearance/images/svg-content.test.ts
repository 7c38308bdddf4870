import { describe, expect, it } from 'vitest';
import { svgContent } from '../../../../src/cli/appearance/images.js';

const content = (text: string) => svgContent(Buffer.from(text));
const inside = (text: string) => content(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${text}</svg>`);
const [script, handler, foreign, reference] = ['a script', 'an event handler', 'foreign content', 'references to other files'];

describe('the content of an SVG', () => {
  it.each([
    ['<path d="M0 0" fill="url(#a)"/><use href="#b"/><style>a{fill:url(\'#c\')} b{content:"on"}</style>'],
    ['<image xlink:href="data:image/png;base64,AAAA"/><style>@font-face{src:url(data:font/woff2;base64,AA)}</style>'],
    ['<a href="https://example.com"><text>onload script</text></a><!-- <script/> -->'],
    ['<g xmlns:i="http://www.inkscape.org/n" i:export-filename="C:\\data\\logo.png"/>'],
  ])('is passive: %s', async (text) => {
    expect(await inside(text)).toMatchObject({ isComplete: true, active: [] });
  });

  it.each([
    ['<script>alert(1)</script>', script], ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', script], ['<SCRIPT/>', script],
    ['<g onload="x"/>', handler], ['<g OnClick=\'x\'/>', handler], ['<set attributeName="onclick" to="x"/>', handler],
    ['<a href="javascript:x"/>', script], ['<a xlink:href=" &#106;ava&#10;script:x"/>', script],
    ['<animate attributeName="href" values="#a;javascript:x"/>', script],
    ['<a href="data:text/html,x"/>', script], ['<use href="data:image/svg+xml,x"/>', script],
    ['<foreignObject/>', foreign], ['<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="#"/>', foreign],
    ['<image href="https://example.com/a.png"/>', reference], ['<image xlink:href="//example.com/a"/>', reference], ['<use href="b.svg#a"/>', reference],
    ['<style>@import "a.css";</style>', reference], ['<style><![CDATA[a{fill:url( "https://a" )}]]></style>', reference],
    ['<g style="fill:url(https://a)"/>', reference], ['<g fill="url(https://a)"/>', reference], ['<style>a{fill:\\75rl(https://a)}</style>', reference],
  ])('is active: %s', async (text, what) => {
    const { isComplete, active } = await inside(text);
    expect({ isComplete, active }).toMatchObject({ isComplete: true, active: expect.arrayContaining([what]) as string[] });
  });

  it.each([
    ['<!DOCTYPE svg [<!ENTITY a "<script/>">]><svg>&a;</svg>', 'entities with markup'],
    ['<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>', 'entities with markup'],
    ['<!DOCTYPE svg [<!ENTITY a "javascript:x">]><svg><a href="&a;"/></svg>', script],
    ['<?xml-stylesheet href="a.xsl"?><svg/>', reference],
  ])('is active before its first element: %s', async (text, what) => {
    expect(await content(text)).toMatchObject({ isComplete: true, active: [what] });
  });

  it('may declare addresses as drawing programs do', async () => {
    const text = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd" [<!ENTITY ns "http://ns.example.com/">]>'
      + '<svg xmlns:x="&ns;"><g x:id="&ns;a"/>&nbsp;</svg>';
    expect(await content(text)).toMatchObject({ isComplete: true, active: [] });
  });

  it.each(['<svg', '<svg>', '<svg><g></svg>', '<svg a="1" a="2"/>', '<svg/><svg/>', '<svg>&</svg>'])('is not well-formed: %s', async (text) => {
    expect((await content(text)).isComplete).toBe(false);
  });
});
