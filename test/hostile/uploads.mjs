/** Uploads that are lost or returned under other names, and incomplete responses to writes. */
import { fails, unavailable, works, worksOrFails, worksOrFailsSilently } from './judge.mjs';
import { json, replies, response } from './server.mjs';
import { appearance, note, thread } from './service.mjs';

const kept = (logo) => replies(json('200 OK', { ...appearance, logo }));
const path = '/uploads/-/system/appearance/logo/1';

/** The program compares the response with the upload. */
const isSeen = { expect: fails([1, 10], /logo/), clients: ['program'] };

export const uploads = [
  {
    name: 'null as the logo after an upload', command: 'upload', server: kept(null),
    ...isSeen,
  },
  {
    name: 'no logo after an upload', command: 'upload',
    server: replies(json('200 OK', { ...appearance, logo: undefined })), ...isSeen,
  },
  {
    name: 'logo under another name', command: 'upload', server: kept(`${path}/other.png`),
    ...isSeen,
  },
  {
    name: 'a number as the logo', command: 'upload', server: kept(7),
    ...isSeen,
  },
  {
    name: 'an object as the logo', command: 'upload', server: kept({ url: 'x' }),
    ...isSeen,
  },
  {
    name: 'logo at a CDN', command: 'upload', server: kept(`https://cdn.example/a${path}/logo.png`),
    expect: works(/cdn/),
  },
  {
    name: 'logo at a CDN, with a signature', command: 'upload',
    server: kept(`https://cdn.example/a${path}/logo.png?Expires=1&Signature=a/b#c`), expect: works(/cdn/),
  },
  {
    name: 'logo with a broken percent sign', command: 'upload', server: kept(`${path}/%E0%A4%A.png`),
    ...isSeen,
  },
  {
    name: 'logo with control characters', command: 'upload', server: kept(`${path}/\u001b[31m\u202e.png`),
    ...isSeen,
  },
  {
    name: 'name with a percent sign, returned unchanged', command: 'oddUpload', server: kept(`${path}/100%.png`),
    expect: works(/100%/),
  },
  {
    name: 'name with a percent sign, returned encoded', command: 'oddUpload', server: kept(`${path}/100%25.png`),
    expect: works(/100%25/),
  },
  {
    name: 'name with a percent sign, returned with _', command: 'oddUpload', server: kept(`${path}/100_.png`),
    expect: works(/100_/),
  },
  {
    name: '201 with an empty body to a POST', command: 'post', server: replies(response('201 Created')),
    expect: unavailable(/empty/),
  },
  {
    name: '200 with an empty body to an upload', command: 'upload', server: replies(response('200 OK')),
    expect: unavailable(/empty/),
  },
  {
    name: '202 with an empty body to a POST', command: 'post', server: replies(response('202 Accepted')),
    expect: worksOrFailsSilently,
  },
  {
    name: '202 with a summary of quick actions that the text does not have', command: 'post',
    server: replies(json('202 Accepted', { commands_changes: {}, summary: ['Closed\x1b[31m this.'] })),
    expect: unavailable(/without the result/),
  },
  {
    name: '202 with a login page to a POST', command: 'post',
    server: replies(response('202 Accepted', { 'content-type': 'text/html' }, '<html>')), expect: unavailable(/HTML/),
  },
  {
    name: '204 to a POST', command: 'post', server: replies('HTTP/1.1 204 No Content\r\n\r\n'),
    expect: worksOrFailsSilently,
  },
  {
    name: '200 with an error to a POST', command: 'post', server: replies(json('200 OK', { error: 'not saved' })),
    expect: unavailable(/./),
  },
  {
    name: '201 with a list', command: 'post', server: replies(json('201 Created', [thread(1)])),
    expect: unavailable(/./),
  },
  {
    name: '201 with a thread without notes', command: 'post',
    server: replies(json('201 Created', thread(1, { notes: [] }))), expect: fails([1, 10], /note/),
    clients: ['program'],
  },
  {
    name: '201 with a note instead of a thread', command: 'post', server: replies(json('201 Created', note(1))),
    expect: worksOrFails(/Note 1/, 10),
  },
  {
    name: 'a truncated 201', command: 'post', server: replies(json('201 Created', thread(1)).subarray(0, -10)),
    expect: unavailable(/stopped|time/), waits: true,
  },
  {
    name: '200 with HTML to a DELETE', command: 'remove',
    server: replies(response('200 OK', { 'content-type': 'text/html' }, '<html>Sign in</html>')),
    expect: unavailable(/HTML/),
  },
  {
    name: '400 to an upload', command: 'upload', server: replies(json('400 Bad Request', { error: 'logo is invalid' })),
    expect: fails(7, /logo is invalid/),
  },
];
