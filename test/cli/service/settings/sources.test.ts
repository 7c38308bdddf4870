import { describe, expect, it } from 'vitest';
import {
  address, firstFound, jobProjectPlaces, pastedPlace, profileAddress, tokenPlaces, urlPlaces,
} from '../../../../src/cli/service/settings/sources.js';
import { everyRow } from '../../../support/rows.js';

describe('the source of a setting', () => {
  it('is the first place with a value; an empty text is none', () => {
    expect(firstFound([undefined, '--url'], ['', 'COLLOQUY_URL'], ['b', 'GITLAB_HOST'], ['c', 'profile work'])).toEqual({ value: 'b', from: 'GITLAB_HOST' });
    expect(firstFound([undefined, '--url'], ['', 'COLLOQUY_URL'])).toBeNull();
    expect(firstFound()).toBeNull();
  });

  it('of a pasted URL is the command line', () => {
    expect(pastedPlace('https://a.example')).toEqual({ value: 'https://a.example', from: 'the pasted URL' });
    expect(pastedPlace(undefined)).toBeNull();
  });
});

describe('the variables', () => {
  const env = {
    COLLOQUY_URL: 'a', GITLAB_HOST: 'b.example', GITLAB_URI: 'HTTP://c.example', CI_API_V4_URL: 'd', CI_SERVER_URL: 'e',
    CI_MERGE_REQUEST_PROJECT_ID: '2', CI_PROJECT_ID: '3', COLLOQUY_TOKEN: 't', GITLAB_TOKEN: 'g',
  };

  it('of the service come in this order; those of other tools may lack a scheme', () => {
    expect(urlPlaces(env)).toEqual([['a', 'COLLOQUY_URL'], ['https://b.example', 'GITLAB_HOST'], ['HTTP://c.example', 'GITLAB_URI'],
      ['d', 'CI_API_V4_URL'], ['e', 'CI_SERVER_URL']]);
    expect(firstFound(...urlPlaces({ GITLAB_HOST: '' }))).toBeNull();
  });

  it('of the project name the target before the source of a merge request', () => {
    expect(jobProjectPlaces(env, true)).toEqual([['2', 'CI_MERGE_REQUEST_PROJECT_ID'], ['3', 'CI_PROJECT_ID']]);
  });

  it('of the token come in this order', () => {
    expect(tokenPlaces(env)).toEqual([['t', 'COLLOQUY_TOKEN'], ['g', 'GITLAB_TOKEN']]);
  });
});

describe('the address of a service', () => {
  it('is not that of a page, which is a reference', () => everyRow([
    'https://a.example/acme/app/-/merge_requests/1', 'a.example/git/groups/acme/-/epics/3', 'https://a.example/acme/app/-/merge_requests/1/diffs#note_2',
  ], (page) => page, (page) => {
    expect(() => address({ value: page, from: '--url' })).toThrow(expect.objectContaining({
      code: 'usage', message: '--url is the address of a page', hint: 'pass the page as the reference; --url is only the start of it',
    }));
  }));

  it.each([
    ['https://a.example', 'https://a.example'], ['http://a.example/git/', 'http://a.example/git'], ['https://a.example/api/v4', 'https://a.example'],
    ['a.example', 'https://a.example'], ['a.example/git', 'https://a.example/git'], ['localhost:3000', 'https://localhost:3000'],
    ['localhost:3000/git', 'https://localhost:3000/git'], ['10.0.0.1', 'https://10.0.0.1'], ['my-host.example:8443', 'https://my-host.example:8443'],
  ])('%s is %s', (value, href) => {
    expect(address({ value, from: '--url' })?.href).toBe(href);
  });

  it.each(['localhost', 'ftp://a.example', 'a b', 'https://', '/git', 'a.example:port', 'javascript:alert(1)'])('is not %j', (value) => {
    expect(() => address({ value, from: 'COLLOQUY_URL' })).toThrow(expect.objectContaining({
      code: 'usage', message: expect.stringMatching(/^COLLOQUY_URL: /) as string, hint: 'check COLLOQUY_URL',
    }) as Error);
  });

  it('names the setting of a profile in its error', () => {
    expect(() => profileAddress('work', { url: 'ftp://a' })).toThrow(expect.objectContaining({
      message: expect.stringMatching(/^the url of profile work: /) as string, hint: 'check the url of profile work',
    }) as Error);
  });

  it('is none without a value', () => {
    expect(address(null)).toBeNull();
    expect(profileAddress('work', {})).toBeNull();
    expect(profileAddress('work', { url: '' })).toBeNull();
  });
});
