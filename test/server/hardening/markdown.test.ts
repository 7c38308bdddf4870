import { expect, it } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { testService } from '../../support/service.js';

const markup = ['<script>alert(1)</script>', '[x](javascript:alert(1))', '<img src=x onerror=alert(1)>', '![x](http://evil.example/a.png)', '&lt;b&gt;', '# Title'];

it.each(markup)('Markdown is stored unchanged and never rendered: %s', async (text) => {
  const { post, put } = await testService();
  const note = await post<Discussion>('/projects/20/issues/1/discussions', { json: { body: text } });
  const appearance = await put('/application/appearance', { as: 'root', json: { description: text } });
  for (const got of [note, appearance]) {
    expect(got.headers).toMatchObject({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
    expect(got.text).not.toMatch(/[<>&]/);
  }
  expect(note.body.notes[0]!.body).toBe(text);
  expect(appearance.body).toMatchObject({ description: text });
});
