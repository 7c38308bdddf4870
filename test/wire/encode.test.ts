import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/contract.js';
import { encode, type Encoding } from '../../src/wire/encode.js';
import { bodyText } from '../../src/wire/http.js';

const { issue, merge_request: mergeRequest, commit } = contract.discussions;
const json = { accept: 'application/json', 'content-type': 'application/json' };
const form = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };

describe('the path', () => {
  it.each([
    ['g/p', '/api/v4/projects/g%2Fp/issues/7/discussions'],
    [5, '/api/v4/projects/5/issues/7/discussions'],
    ['grüße/a b+c', '/api/v4/projects/gr%C3%BC%C3%9Fe%2Fa%20b%2Bc/issues/7/discussions'],
    ['a?b#c%', '/api/v4/projects/a%3Fb%23c%25/issues/7/discussions'],
  ])('encodes the project %j', async (id, target) => {
    expect(await encode(issue.list, { id, noteable_id: 7 })).toEqual({
      method: 'GET', target, headers: { accept: 'application/json' },
    });
  });

  it('can be chosen', async () => {
    const params = { id: 1, noteable_id: 'ab' };
    expect((await encode(commit.list, params)).target).toBe('/api/v4/projects/1/commits/ab/discussions');
    expect((await encode(commit.list, params, commit.list.paths[1])).target)
      .toBe('/api/v4/projects/1/repository/commits/ab/discussions');
  });
});

describe('request parameters', () => {
  const nested = {
    id: 'g/p', noteable_id: 12, body: 'a+b & c=d',
    position: { base_sha: 'b', line_range: { start: { line_code: 'x_1_2', type: 'new' } } },
  };
  const target = '/api/v4/projects/g%2Fp/merge_requests/12/discussions';
  const pairs = 'body=a%2Bb%20%26%20c%3Dd&position%5Bbase_sha%5D=b' +
    '&position%5Bline_range%5D%5Bstart%5D%5Bline_code%5D=x_1_2&position%5Bline_range%5D%5Bstart%5D%5Btype%5D=new';

  it.each<[Encoding, object]>([
    ['json', {
      target, headers: json,
      body: '{"body":"a+b & c=d","position":{"base_sha":"b","line_range":{"start":{"line_code":"x_1_2","type":"new"}}}}',
    }],
    ['form', { target, headers: form, body: pairs }],
    ['query', { target: `${target}?${pairs}`, headers: { accept: 'application/json' } }],
  ])('are sent as %s', async (encoding, expected) => {
    expect(await encode(mergeRequest.create, nested, undefined, encoding)).toEqual({ method: 'POST', ...expected });
  });

  it('are sent in the query of GET and DELETE, whatever the encoding', async () => {
    expect(await encode(issue.list, { id: 1, noteable_id: 2, page: 3 }, undefined, 'form')).toEqual({
      method: 'GET', target: '/api/v4/projects/1/issues/2/discussions?page=3', headers: { accept: 'application/json' },
    });
  });

  it('are omitted if undefined, and so is an empty body', async () => {
    expect(await encode(contract.appearance.set, { title: undefined })).toEqual({
      method: 'PUT', target: '/api/v4/application/appearance', headers: { accept: 'application/json' },
    });
  });

  it('keep null: in JSON as null, in a form as empty text', async () => {
    const params = { id: 1, noteable_id: 2, discussion_id: 'd', body: 'x', note_id: null };
    expect((await encode(issue.addNote, params)).body).toBe('{"body":"x","note_id":null}');
    expect((await encode(issue.addNote, params, undefined, 'form')).body).toBe('body=x&note_id=');
  });
});

describe('a file', async () => {
  const sent = await encode(contract.appearance.set, {
    title: 'Grüße', email_header_and_footer_enabled: true,
    logo: { filename: 'lo"go.png', content_type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x0d, 0x0a, 0, 0xff) },
  });
  const boundary = /boundary=(.+)$/.exec(sent.headers['content-type'] ?? '')?.[1] ?? '';
  const bytes = Buffer.from(sent.body as Uint8Array);

  it('makes the request multipart, whatever the encoding', async () => {
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
    const logo = { filename: 'a.png', bytes: new Uint8Array(1) };
    expect((await encode(contract.appearance.set, { logo }, undefined, 'query')).headers['content-type']).toContain('multipart');
  });

  it('is sent unchanged with the other parameters', () => {
    expect(bytes.toString('latin1')).toBe([
      `--${boundary}`, 'Content-Disposition: form-data; name="title"', '', Buffer.from('Grüße').toString('latin1'),
      `--${boundary}`, 'Content-Disposition: form-data; name="email_header_and_footer_enabled"', '', 'true',
      `--${boundary}`, 'Content-Disposition: form-data; name="logo"; filename="lo%22go.png"',
      'Content-Type: image/png', '', '\x89P\r\n\0\xff', `--${boundary}--`, '',
    ].join('\r\n'));
  });

  it('cannot be text', () => {
    expect(typeof sent.body).not.toBe('string');
    expect(bodyText(bytes)).toContain('Grüße');
  });
});
