import { describe, expect, test } from 'vitest';
import { ApiError, NoResultError, ResponseError } from '../../src/client/errors.js';
import { describeMismatch, readResponse, type Shape } from '../../src/client/response.js';
import { Appearance } from '../../src/contract/appearance.js';
import { contract, everyEndpoint } from '../../src/contract/contract.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { exampleOf } from '../../src/contract/openapi/schemas.js';
import type { HttpResponse } from '../../src/wire/http.js';
import { json, request, text } from './support/scripted.js';

const sent = request('GET', '/api/v4/x?private=1');
const api = 'https://host/api/v4';
const read = (response: HttpResponse, endpoint: Parameters<typeof readResponse>[0] = contract.appearance.get) =>
  readResponse(endpoint, { request: sent, response }, api);
const failure = (
  response: HttpResponse, endpoint: Parameters<typeof readResponse>[0] = contract.appearance.get, method = 'GET', words?: string,
): unknown => {
  try {
    return readResponse(endpoint, { request: { ...sent, method }, response, text: words }, api);
  } catch (error) {
    return error;
  }
};
const failureOfText = (words: string | undefined, response: HttpResponse): unknown =>
  failure(response, contract.discussions.issue.create, 'POST', words);

describe('a valid response', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8', 'text/plain', ''])(
    'is JSON, whatever its type says: %j', (type) => {
      expect(read(text(200, type, '{"title":"ä"}'))).toEqual({ title: 'ä' });
    });

  test('can be bytes with a byte order mark', () => {
    const body = new TextEncoder().encode('\ufeff{"title":"ä"}');
    expect(read({ status: 200, headers: {}, body })).toEqual({ title: 'ä' });
  });

  test.each([json(204, null), text(200, '', ''), json(200, { anything: 1 })])(
    'is undefined if no result is expected: $status $body', (response) => {
      expect(read(response, contract.discussions.issue.deleteNote)).toBeUndefined();
    });

  test.each([201, 202])('says that it was done: %s does not', (status) => {
    expect(() => read(json(status, {}), contract.discussions.issue.deleteNote)).toThrow(`the service responded with ${status}, not 204`);
  });
});

describe('the publication of drafts', () => {
  test.each([json(204, null), text(200, '', '')])('is done with an empty response: $status', (response) => {
    expect(read(response, contract.draftNotes.publishAll)).toBeUndefined();
  });

  test('is not done if the response has anything to say', () => {
    expect(() => read(json(200, { error: 'maintenance' }), contract.draftNotes.publishAll))
      .toThrow('the service responded with 200, not 204');
  });
});

describe('an invalid response', () => {
  test.each([
    ['a page with success', text(200, 'text/html; charset=utf-8', '<html>'),
      'the response is HTML, not JSON; is https://host/api/v4 the address of the API?'],
    ['an empty body', text(200, 'application/json', ''), 'the response is empty, not JSON'],
    ['white space', text(201, '', ' \n'), 'the response is empty, not JSON'],
    ['JSON cut short', text(200, 'application/json', '{"title":"a'), 'the response is not valid JSON'],
    ['another type', text(200, 'text/plain', 'OK'), 'the response is text/plain, not JSON'],
    ['a status without meaning here', text(304, '', ''), 'unexpected status 304'],
    ['a part of an answer', json(206, {}), 'unexpected status 206'],
    ['nothing to a read', text(204, '', ''), 'the response is empty, not JSON'],
    ['a number past the last that JSON keeps', text(200, '', '{"id":9007199254740993}'),
      'the response has a number that is too large to be exact, at id', contract.epics.assign],
    ['something else than what is asked for', json(200, []), 'the response has a list where an object is expected'],
  ])('%s is a ResponseError', (_, response, message, endpoint: Endpoint = contract.appearance.get) => {
    const error = failure(response, endpoint);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ message: `GET /api/v4/x: ${message}`, request: 'GET /api/v4/x', status: response.status });
  });

  test('an HTML page is an error even if no result is expected', () => {
    expect(failure(text(200, 'text/html', '<html>'), contract.discussions.issue.deleteNote)).toBeInstanceOf(ResponseError);
  });
});

describe('an error response', () => {
  test.each([
    [json(401, { message: '401 Unauthorized' }), '401 Unauthorized'],
    [json(400, { error: 'body is missing' }), 'body is missing'],
    [json(401, { error: 'invalid_token', error_description: 'Token was revoked.' }), 'Token was revoked.'],
    [json(400, { message: { title: ["can't be blank"] } }), "title can't be blank"],
    [json(429, { message: { error: 'Try again later.' } }), 'Try again later.'],
    [text(429, 'text/plain', 'Retry later\n'), 'Retry later'],
    [text(502, 'text/html', '<html><h1>Whoops</h1></html>'), 'Bad Gateway (an HTML page instead of a response of the service)'],
    [text(504, 'text/html', 'Whoops<br>'), 'Gateway Timeout (an HTML page instead of a response of the service)'],
    [text(503, '', '\n<!doctype html><p>'), 'Service Unavailable (an HTML page instead of a response of the service)'],
    [text(404, '', ''), 'Not Found'],
    [text(425, '', ''), 'Too Early'],
    [text(499, '', ''), 'unknown status'],
    [json(500, { trace: 1 }), 'Internal Server Error'],
    [json(400, { message: 'one\n\ttwo' }), 'one two'],
  ])('has its status and message on one line: $status $body', (response, words) => {
    const error = failure(response);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: response.status, serverMessage: words, request: 'GET /api/v4/x', headers: response.headers,
      message: `GET /api/v4/x: ${words.startsWith(`${response.status}`) ? words : `${response.status} ${words}`}`,
    });
  });

  test('keeps its body: parsed, or as text', () => {
    expect(failure(json(400, { error: 'x' }))).toMatchObject({ body: { error: 'x' } });
    expect(failure(text(429, 'text/plain', 'Retry later\n'))).toMatchObject({ body: 'Retry later\n' });
  });

  test('is cut in the message if it is long', () => {
    expect((failure(text(500, 'text/plain', 'x'.repeat(5000))) as ApiError).serverMessage).toBe(`${'x'.repeat(300)}…`);
  });
});

describe('a call that succeeded without a result', () => {
  test('reports what quick actions did', () => {
    const error = failureOfText('/close', json(202, { commands_changes: { state_event: 'close' }, summary: ['Closed this issue.'] }));
    expect(error).toBeInstanceOf(NoResultError);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      status: 202, summary: ['Closed this issue.'], changes: { state_event: 'close' },
      message: 'POST /api/v4/x: Closed this issue.',
    });
  });

  test.each([json(202, 'x'), text(202, '', ''), text(204, '', '')])('can have no summary: $status $body', (response) => {
    const expected = { name: 'NoResultError', summary: [], changes: {} };
    expect(failureOfText('/close', response)).toMatchObject(expected);
    expect(failure(response, contract.epics.unassign, 'DELETE')).toMatchObject(expected);
  });

  test('is a damaged response to any other change', () => {
    const nothing = text(204, '', '');
    const actions = json(202, { summary: ['Closed.'] });
    expect(failureOfText('Hi.\n/close', actions)).toBeInstanceOf(NoResultError);
    const damaged = [
      failure(nothing, contract.appearance.set, 'PUT'), failure(nothing, contract.epics.create, 'POST'),
      failureOfText('Hi.', nothing), failureOfText('Hi.', actions), failureOfText('Hi.\n/close', nothing), failureOfText(undefined, nothing),
    ];
    expect(damaged.map((error) => [(error as Error).name, (error as ResponseError).status])).toEqual(
      [204, 204, 204, 202, 204, 204].map((status) => ['ResponseError', status]));
  });
});

const threads = contract.discussions.merge_request.list.returns as Shape;
const note = exampleOf(contract.discussions.merge_request.addNote.returns) as Record<string, unknown>;
const thread = (change: object) => [{ id: 'a', individual_note: false, notes: [{ ...note, ...change }] }];

describe('the shape of a response', () => {
  test.each(everyEndpoint().filter(({ endpoint }) => endpoint.returns !== null))('matches with the example of the contract: $name', ({ endpoint }) => {
    expect(describeMismatch(endpoint.returns as Shape, exampleOf(endpoint.returns!), true)).toBeNull();
  });

  test.each([
    ['no id on what it holds', { id: undefined }],
    ['words nobody knows yet', { type: 'LaterNote', noteable_type: 'Wiki', later: { a: [null] } }],
    ['dates in other forms', { created_at: '2024-02-20T07:57:43.874-08:00', updated_at: 5 }],
    ['text or another kind in place of a scalar', { id: 'x', body: {}, resolved: 'yes' }],
    ['an object nobody has to read', { position: [], commands_changes: null }],
    ['null in place of a scalar', { body: null, system: null }],
    ['null in place of what may be left out', { position: null, resolved_by: null }],
  ])('matches with %s', (_, change) => {
    expect(describeMismatch(threads, thread(change), true)).toBeNull();
  });

  test.each([
    [null, 'has null where a list is expected'],
    [{ message: 'x' }, 'has an object where a list is expected'],
    ['[]', 'has text where a list is expected'],
    [[null], 'has null where an object is expected, at [0]'],
    [[1], 'has a number where an object is expected, at [0]'],
    [[[]], 'has a list where an object is expected, at [0]'],
    [[{ id: 'a', notes: [null] }], 'has null where an object is expected, at [0].notes[0]'],
    [thread({ author: true }), 'has true where an object is expected, at [0].notes[0].author'],
    [thread({ resolved_by: 'ada' }), 'has text where an object is expected, at [0].notes[0].resolved_by'],
    [thread({ id: 2 ** 53 }), 'has a number that is too large to be exact, at [0].notes[0].id'],
    [thread({ author: { id: -(2 ** 53) } }), 'has a number that is too large to be exact, at [0].notes[0].author.id'],
  ])('does not match: case %#', (answer, words) => {
    expect(describeMismatch(threads, answer, false)).toBe(words);
  });

  test.each([
    [[{ notes: [note] }], 'an id is expected, at [0].id'], [[{ id: null, notes: [note] }], 'an id is expected, at [0].id'],
    [[{ id: 'a', notes: [] }], 'a list with an item is expected, at [0].notes'],
    [[{ id: 'a' }], 'a list is expected, at [0].notes'],
    [thread({ author: undefined }), 'an object is expected, at [0].notes[0].author'],
    [[{ id: 'a', notes: null }], 'a list is expected, at [0].notes'],
    [thread({ author: null }), 'an object is expected, at [0].notes[0].author'],
  ])('that lacks something matches unless strict: case %#', (answer, words) => {
    expect(describeMismatch(threads, answer, false)).toBeNull();
    expect(describeMismatch(threads, answer, true)).toMatch(/^has (nothing|null|an empty list) where /);
    expect(describeMismatch(threads, answer, true)).toContain(`where ${words}`);
  });

  test.each([{}, { message: 'Something went wrong' }])('that is another object matches unless strict: %j', (answer) => {
    expect(describeMismatch(Appearance as Shape, answer, false)).toBeNull();
    expect(describeMismatch(Appearance as Shape, answer, true)).toBe('has none of the expected fields');
    expect(describeMismatch(Appearance as Shape, { title: 'T' }, true)).toBeNull();
  });
});
