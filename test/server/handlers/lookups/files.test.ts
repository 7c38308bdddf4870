import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { startServer } from '../../../../src/server/index.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const world: World = { ...acme, projects: [...acme.projects!, {
  id: 90, path: 'acme/tool', name: 'Tool', visibility: 'public',
  files: { 'src/a b.ts': 'é\n', 'package.json': '{}', 'page.xhtml': '<html>', 'empty.txt': '', 'bytes.bin': 'a\u0001b', 'ü"\'.md': '<é>&' },
}] };

let service: TestService;
beforeEach(async () => { service = await testService({ world }); });
afterEach(() => service.close());

const files = '/projects/90/repository/files';
const problem = async (path: string, as = 'developer') => {
  const { status, body } = await service.get<{ message?: string; error?: string }>(path, { as });
  return [status, body.message ?? body.error];
};

const gitlabHeaders = {
  'x-gitlab-file-name': 'a b.ts', 'x-gitlab-file-path': 'src/a b.ts', 'x-gitlab-size': '3', 'x-gitlab-encoding': 'base64',
  'x-gitlab-content-sha256': 'edd3a863872a04239eb29ad4bc12fc892b3d4ae57cc7e786a3697816f8e141c2',
  'x-gitlab-ref': 'main', 'x-gitlab-blob-id': '63af512c384edeb6e1cb1bc4a91c3e2ca0a2d7f6',
  'x-gitlab-commit-id': '', 'x-gitlab-last-commit-id': '', 'x-gitlab-execute-filemode': 'false',
};

describe('a file of a project', () => {
  test('is there with its text in Base64, whatever its name', async () => {
    expect((await service.get(`${files}/src%2Fa%20b.ts?ref=main`)).body).toEqual({
      file_name: 'a b.ts', file_path: 'src/a b.ts', size: 3, encoding: 'base64', content: 'w6kK', ref: 'main',
      content_sha256: 'edd3a863872a04239eb29ad4bc12fc892b3d4ae57cc7e786a3697816f8e141c2', blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      commit_id: null, last_commit_id: null, execute_filemode: false,
    });
    expect((await service.get(`${files}/package.json?ref=main`)).body).toMatchObject({ file_path: 'package.json', content: 'e30=' });
  });

  test.each(['/raw', ''])('is described in headers, which HEAD returns alone: %s', async (form) => {
    const { blob_id } = (await service.get<{ blob_id: string }>(`${files}/src%2Fa%20b.ts?ref=main`)).body;
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await service.call(method, `${files}/src%2Fa%20b.ts${form}?ref=main`);
      expect([method, status, headers]).toMatchObject([method, 200, { ...gitlabHeaders, 'x-gitlab-blob-id': blob_id }]);
      expect(headers).not.toHaveProperty('x-gitlab-content');
    }
    expect((await service.call('HEAD', `${files}/src%2Fa%20b.ts${form}?ref=main`)).text).toBe('');
  });

  test('has headers that are bytes of UTF-8, whatever its name', async () => {
    const { headers } = await service.get(`${files}/${encodeURIComponent('ü"\'.md')}/raw?ref=%C3%BC`);
    const utf8 = (name: string) => Buffer.from(headers[name]!, 'latin1').toString();
    expect([utf8('x-gitlab-file-path'), utf8('x-gitlab-ref')]).toEqual(['ü"\'.md', 'ü']);
    expect(headers['content-disposition']).toBe(`inline; filename="u%22%27.md"; filename*=UTF-8''%C3%BC%22%27.md`);
  });

  test.each(['/raw', ''])('is not found under another name, in a hidden project, or in a commit with an impossible name: %s', async (form) => {
    expect(await problem(`${files}/none.ts${form}?ref=main`)).toEqual([404, '404 File Not Found']);
    expect(await problem(`/projects/20/repository/files/package.json${form}?ref=main`, 'outsider')).toEqual([404, '404 Project Not Found']);
    for (const ref of ['a%0D%0Ax-injected:%201', '%7F', 'a%0Ab']) {
      expect(await problem(`${files}/package.json${form}?ref=${ref}`)).toEqual([404, '404 Commit Not Found']);
    }
    expect(await problem(`${files}/package.json${form}?ref=`)).toEqual([400, 'ref is empty']);
  });

  test('needs a ref as JSON only', async () => {
    expect(await problem(`${files}/package.json`)).toEqual([400, 'ref is missing']);
    const { status, headers, text } = await service.get(`${files}/package.json/raw`);
    expect([status, headers['x-gitlab-ref'], text]).toEqual([200, '', '{}']);
  });
});

describe('a raw file', () => {
  test('is the text itself, which browsers neither run nor store', async () => {
    const { headers, text } = await service.get(`${files}/src%2Fa%20b.ts/raw?ref=main`);
    expect(text).toBe('é\n');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate, no-store, no-cache', expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
      'content-disposition': `inline; filename="a b.ts"; filename*=UTF-8''a%20b.ts`,
    });
    expect(headers).not.toHaveProperty('etag');
    expect((await service.get(`${files}/page.xhtml/raw`)).headers['content-disposition']).toBe(`inline; filename="page"; filename*=UTF-8''page`);
  });

  test('is a download if it has control characters', async () => {
    const { headers, text } = await service.get(`${files}/bytes.bin/raw`);
    expect([headers['content-type'], text]).toEqual(['application/octet-stream', 'a\u0001b']);
    expect(headers['content-disposition']).toMatch(/^attachment; /);
  });

  test('arrives over a socket without a difference, with any name', async () => {
    const server = await startServer({ world });
    onTestFinished(() => server.close());
    const client = createClient({ url: server.url, token: 'developer-token' });
    const read = (file_path: string) => client.lookups.rawFile({ id: 90, file_path });
    expect(await Promise.all(['ü"\'.md', 'empty.txt', 'page.xhtml', 'package.json'].map(read))).toEqual(['<é>&', '', '<html>', '{}']);
    await expect(read('none')).rejects.toMatchObject({ status: 404 });
  });
});
