import { describe, expect, it } from 'vitest';
import { at } from '../../support/openapi.js';

describe('the OpenAPI document', () => {
  it('documents the paging headers', () => {
    const list = at('get', '/projects/{id}/issues/{issue_iid}/discussions').responses['200']!;
    expect(Object.keys(list.headers!)).toEqual(
      ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages', 'link']);
    expect(at('get', '/application/appearance').responses['200']!.headers).toBeUndefined();
  });
});
