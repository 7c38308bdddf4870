import { describe, expect, it } from 'vitest';
import { markdownRenderer } from '../../../../src/cli/appearance/preview/markdown.js';
import { scenes, unseenFields } from '../../../../src/cli/appearance/preview/scenes.js';
import type { PreviewState } from '../../../../src/cli/appearance/preview/state.js';
import { fields } from '../../../../src/cli/appearance/values.js';
import { liveState, nextState, noImages } from '../../../support/preview.js';

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
