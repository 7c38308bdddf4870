import { describe, expect, it } from 'vitest';
import { markdownRenderer } from '../../../src/page/html.js';
import { type PreviewState, scenes, unseenFields } from '../../../src/page/appearance.js';
import { fields } from '../../../src/cli/appearance/values.js';
import { liveState, nextState, noImages } from '../../support/preview.js';

const markdown = await markdownRenderer();
const drawn = (id: string, state: PreviewState, urls: Readonly<Record<string, string>> = {}) =>
  scenes.find((scene) => scene.id === id)!.draw({ state, markdown, imageUrl: (field) => urls[field] ?? null }).markup;
const withFields = (parts: Partial<PreviewState['fields']>): PreviewState => ({ ...liveState, fields: { ...liveState.fields, ...parts } });

it('every field of the documentation that can be set is shown in a scene', () => {
  const newer = ['pwa_name', 'pwa_short_name', 'pwa_description', 'pwa_icon', 'member_guidelines'];
  expect(unseenFields(fields)).toEqual(newer);
  expect(unseenFields(['title', 'pwa_name'])).toEqual(['pwa_name']);
});

it.each(scenes.map(({ id, fields: named }) => [id, named] as const))('the scene %s shows the fields that it names', (id, named) => {
  const texts = named.filter((field) => typeof (nextState.fields as Record<string, unknown>)[field] === 'string' && !field.endsWith('_color'));
  const marked = { ...nextState, fields: { ...nextState.fields, ...Object.fromEntries(texts.map((field) => [field, `text of ${field}`])) } };
  for (const field of texts) expect(drawn(id, marked), field).toContain(`text of ${field}`);
  const images = named.filter((field) => field in noImages);
  const urls = Object.fromEntries(images.map((field) => [field, `images/${field}`]));
  for (const field of images) expect(drawn(id, marked, urls), field).toContain(`src="images/${field}"`);
});

describe('a page of the service', () => {
  it('says what is not set', () => {
    const empty = withFields({ title: '', description: ' \n', new_project_guidelines: '', profile_image_guidelines: '' });
    expect(drawn('sign-in', empty)).toMatch(/No title.*No description/s);
    expect(drawn('new-project', empty)).toContain('No guidelines for new projects');
    expect(drawn('profile', empty)).toContain('No guidelines for profile images');
    expect(drawn('sign-in', empty)).toContain('<span class="tab-title" dir="auto">Sign in</span>');
  });

  it('has a header or footer bar only with a text, which readers of screens get beside it', () => {
    const page = drawn('sign-in', withFields({ header_message: '**Hi** all', footer_message: ' ' }));
    expect(page).toContain('<div class="bar" dir="auto" title="**Hi** all"><div class="bar-text" inert><strong>Hi</strong> all</div></div>\n'
      + '<p class="visually-hidden">Header bar: **Hi** all</p>');
    expect(page).not.toContain('Footer bar');
  });

  it('has the whole text of a bar as its title, as the value of an attribute', () => {
    const page = drawn('new-project', withFields({ header_message: '"><b title=\'x\'>\n& more' }));
    expect(page).toContain('title="&quot;&gt;&lt;b title=&#39;x&#39;&gt; &amp; more"');
  });

  it('has no line breaks in a bar', () => {
    expect(drawn('sign-in', withFields({ header_message: 'one  \ntwo<br>three' }))).toContain(' inert>one two three</div>');
  });

  it('has placeholders that say why an image is not shown', () => {
    const unread = { filename: 'a', bytes: null, type: null };
    const odd = { filename: 'a', bytes: Buffer.from('x'), type: 'text/html' };
    const page = drawn('sign-in', { ...liveState, images: { ...noImages, logo: unread, favicon: odd } });
    expect(page).toContain('title="Logo cannot be read"');
    expect(page).toContain('title="Favicon has an unknown format"');
    expect(drawn('profile', { ...liveState, images: noImages })).toContain('title="No header logo"');
  });
});

describe('a long text', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
  const paragraphs = (count: number) => numbered(count).join('\n\n');
  const profile = (text: string) => drawn('profile', withFields({ profile_image_guidelines: text }));
  const description = (text: string) => drawn('sign-in', withFields({ description: text }));

  it('is whole up to 16 lines', () => {
    expect(profile(paragraphs(8))).not.toContain('<details');
    expect(profile(`${numbered(16).join('\n')}\n\n\n`)).not.toContain('<details');
  });

  it('is folded after the blocks that fit into 12 lines, and says how many lines follow', () => {
    const text = profile(paragraphs(20));
    const [shown, folded] = text.split('<details class="fold"') as [string, string];
    expect(shown).toContain('<p>line 6</p>');
    expect(shown).not.toContain('line 7');
    expect(folded).toContain('<summary>27 more of 39 lines</summary>');
    expect(folded).toContain('<p>line 7</p>');
    expect(folded).toContain('<p>line 20</p>');
  });

  it('is folded whole if its first block is long', () => {
    const text = description(numbered(40).map((line) => `- ${line}`).join('\n'));
    expect(text).toContain('<summary>40 lines</summary>');
    expect(text.indexOf('<li>line 1</li>')).toBeGreaterThan(text.indexOf('<details'));
  });

  it('is folded if it is one very long line', () => {
    expect(profile('word '.repeat(300))).toContain('<summary>1 line of 1499 characters</summary>');
    expect(profile('word '.repeat(200))).not.toContain('<details');
  });

  it('keeps the targets of its links when it is folded', () => {
    const text = description(`See [it].\n\n${paragraphs(10)}\n\nSee [it] again.\n\n[it]: https://a.example\n`);
    expect(text.match(/title="https:\/\/a.example"/g)).toHaveLength(2);
  });

  it('is folded in each text of guidelines', () => {
    expect(drawn('new-project', withFields({ new_project_guidelines: paragraphs(20) }))).toContain('27 more of 39 lines');
    expect(description(paragraphs(20))).toContain('27 more of 39 lines');
  });
});

describe('an email', () => {
  const message = { header_message: 'Hi **all**', message_background_color: '#123456' };

  it('has header and footer only if they are enabled', () => {
    const state = withFields({ ...message, email_header_and_footer_enabled: false });
    expect(drawn('email', state)).toContain('Emails have no header and footer.');
    expect(drawn('email', state)).not.toContain('Hi');
  });

  it('has them as text that may take several lines, without the colors of the bars', () => {
    const text = drawn('email', withFields({ ...message, email_header_and_footer_enabled: true }));
    expect(text).toContain('<p class="mail-message" dir="auto"><span class="visually-hidden">Header: </span>Hi <strong>all</strong></p>');
    expect(text).not.toContain('class="bar"');
    expect(scenes.find(({ id }) => id === 'email')!.fields).toEqual(['email_header_and_footer_enabled', 'header_message', 'footer_message']);
  });
});
