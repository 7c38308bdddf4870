import { accessLevels, sudoName } from '../../contract/conventions.js';
import { accessLevelIn, readCaller, isReporter, requireAdministrator, requireOrdinaryUser } from '../caller.js';
import {
  type Checks, type Got, hasError, hasOnlyKeys, hasStatus, holds, listIn, objectIn, objectPath, onRead, onResponse,
  pathBelow, type Probe, read, reading, rejection, rejects, same, sameIn, Skipped, writingNotes,
} from '../check.js';
import {
  checkText, isInternal, notesPath, noThread, post, threadIn, threadsOfCommit, threadsPath,
} from '../threads.js';
import { editsExclusively } from './notes.js';

const unknownToken = 'colloquy-unknown-token';
const bearer = { authorization: `Bearer ${unknownToken}` };

export const accessChecks: Checks = {
  'tokens.always': onResponse('GET', threadsPath, { token: null }, (got) => hasStatus(got, 401)),
  'tokens.missing': reading(async (probe) => {
    for (const token of [null, unknownToken]) {
      await rejects(probe, 'GET', threadsPath(probe), { token }, 401, 'message', '401 Unauthorized');
    }
  }),
  'tokens.no-challenge': onResponse('GET', threadsPath, { token: unknownToken }, (got) =>
    same(hasStatus(got, 401), 'WWW-Authenticate:', got.headers['www-authenticate'], undefined)),
  'tokens.parameter': onResponse('GET', threadsPath, { query: `private_token=${unknownToken}` }, (got) =>
    hasStatus(got, 401)),
  'tokens.header': reading(async (probe) => {
    await read(probe, threadsPath(probe));
    for (const token of [null, unknownToken]) hasStatus(await probe.call('GET', threadsPath(probe), { token }), 401);
  }),
  'tokens.order': reading(async (probe) => {
    hasStatus(await probe.call('GET', threadsPath(probe), { headers: bearer }), 200);
    hasStatus(await probe.call('GET', threadsPath(probe), { headers: bearer, token: null }), 401);
  }),
  'access.levels': onRead(pathBelow('project', ''), (got) => {
    const level = accessLevelIn(got);
    if (level === 0) throw new Skipped('the token has no role in the project');
    holds(got, 'a known access level', Object.values<number>(accessLevels).includes(level), level);
  }),
  'tokens.bearer': onResponse('GET', threadsPath, { token: null, headers: bearer }, (got) => hasStatus(got, 401)),
  'access.internal-notes': writingNotes(async (probe) => {
    const isSeen = await isReporter(probe);
    const created = await post(probe, notesPath(probe), { internal: isSeen, confidential: isSeen });
    const got = await read(probe, notesPath(probe), 'per_page=100');
    const shown = listIn(got).filter((note) => isInternal(note) || note['id'] === objectIn(created)['id']);
    same(got, 'whether the new note, or another one, is internal', shown.some(isInternal), isSeen);
  }),
  'errors.unknown-route': rejection('GET', '/colloquy-no-such-route', {}, 404, 'error', '404 Not Found'),
  'errors.parameter-body': onResponse('GET', threadsPath, { query: 'per_page=0' }, (got) =>
    hasOnlyKeys(hasStatus(got, 400), objectIn(got), ['error'])),
  'errors.message-body': onResponse('GET', noThread, {}, (got) =>
    hasOnlyKeys(hasStatus(got, 404), objectIn(got), ['message'])),
  'errors.invalid': rejection('GET', threadsPath, { query: 'page=abc' }, 400, 'error', 'page is invalid'),
  'errors.model': rejection('POST', threadsPath, { json: { body: ' ' } },
    400, 'message', '400 Bad request - Note {:note=>["can\'t be blank"]}'),
  'errors.text': onResponse('POST', threadsPath, { json: { body: 'a\0b' } }, (got) =>
    same(hasStatus(got, 400), 'the body', got.text, 'Bad Request')),
  'errors.project': reading(async (probe) => {
    const [project, group] = ['/projects/colloquy%2Fno-such-project', '/groups/colloquy-no-such-group'];
    await rejects(probe, 'GET', `${project}/issues/1/discussions`, {}, 404, 'message', '404 Project Not Found');
    await rejects(probe, 'GET', `${group}/epics/1/discussions`, {}, 404, 'message', '404 Group Not Found');
  }),
  'errors.record': rejection('GET', pathBelow('project', '/issues/2147483000/discussions'), {},
    404, 'message', '404 Not found'),
  'errors.commit': rejection('GET', threadsOfCommit('0'.repeat(40)), {}, 404, 'message', '404 Commit Not Found'),
  'errors.thread': rejection('GET', noThread, {}, 404, 'message', '404 Discussion Not Found'),
  'errors.missing': rejection('POST', threadsPath, { json: {} }, 400, 'error', 'body is missing'),
  'errors.joined': rejection('POST', threadsPath, { json: { position: { new_line: 'x' } } },
    400, 'error', /^body is missing, position\[base_sha\] is missing, /),
  'errors.exclusive': writingNotes((probe) => editsExclusively(probe, 'merge_request')),
  'errors.order': writingNotes(async (probe) => {
    const nowhere = '/projects/colloquy%2Fno-such-project/merge_requests/1/discussions';
    hasStatus(await probe.call('POST', nowhere, { json: {}, token: null }), 401);
    hasStatus(await probe.call('POST', nowhere, { json: {} }), 400);
    hasStatus(await probe.call('POST', nowhere, { json: { body: 'a' } }), 404);
  }),
  'parameters.noteable-text': rejection('GET', pathBelow('project', '/issues/abc/discussions'), {},
    404, 'message', '404 Not found'),
  'parameters.noteable-number': rejection('GET', pathBelow('project', '/issues/abc/discussions'), {},
    400, 'error', 'noteable_id is invalid'),
  'errors.noteable-name': reading(async (probe) => {
    for (const list of ['issues', 'merge_requests', 'snippets']) {
      const got = await probe.call('GET', `${objectPath(probe, 'project')}/${list}/abc/discussions`);
      if (got.status === 404) throw new Skipped('text in place of a number is not an error about parameters here');
      hasError(got, 400, 'error', 'noteable_id is invalid');
    }
  }),
  'parameters.bare-key': writingNotes(async (probe) => {
    const form = `body=${encodeURIComponent(checkText)}&position`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const got = hasStatus(await probe.call('POST', threadsPath(probe), { form, headers }), 201);
    same(got, '`type`', threadIn(got).notes[0]!['type'], 'DiscussionNote');
  }),
  'parameters.integers': reading(async (probe) => {
    const got = await read(probe, threadsPath(probe), 'per_page=010');
    same(got, 'X-Per-Page:', got.headers['x-per-page'], '10');
    await rejects(probe, 'GET', threadsPath(probe), { query: 'per_page=1abc' }, 400, 'error', 'per_page is invalid');
  }),
  'parameters.blank': rejection('PUT', (probe) => `${noThread(probe)}/notes/0`, { json: { body: 'a', resolved: '' } },
    400, 'error', 'body, resolved are mutually exclusive'),
  'parameters.null': rejection('POST', threadsPath, { json: { body: null } }, 400, 'message', /can't be blank/),
  'parameters.hash-text': rejection('POST', threadsPath, { json: { body: 'a', position: 'b' } },
    400, 'error', /^position is invalid, position\[base_sha\] is missing/),
  'parameters.hash-blank': rejection('POST', threadsPath, { json: { body: 'a', position: '' } },
    400, 'error', 'position is invalid'),
  'parameters.booleans': writingNotes(async (probe) => {
    await rejects(probe, 'PUT', noThread(probe), { json: { resolved: 'maybe' } }, 400, 'error', 'resolved is invalid');
    hasStatus(await probe.call('PUT', noThread(probe), { json: { resolved: 'on' } }), 404, 500);
  }),
  'parameters.texts': rejection('POST', threadsPath, { json: { body: [] } }, 400, 'error', 'body is invalid'),
  'resolving.missing': rejection('PUT', noThread, { json: {} }, 400, 'error', 'resolved is missing'),
  'threads.no-deletion': rejection('DELETE', noThread, {}, 404, 'error', '404 Not Found'),
};

const asUser = (probe: Probe, name: string): Promise<Got> =>
  probe.call('GET', '/user', { headers: { [sudoName]: name } });

/** As the administrator that the token is of. @throws Skipped without the right or the scope */
const sudo = async (probe: Probe, name: string): Promise<Got> => {
  await requireAdministrator(probe);
  const got = await asUser(probe, name);
  if (got.status === 403) throw new Skipped('the token has no scope `sudo`');
  return got;
};

export const sudoChecks: Checks = {
  'sudo.how': reading(async (probe) => {
    const { id, username } = await readCaller(probe);
    for (const name of [username, String(id)]) {
      sameIn(hasStatus(await sudo(probe, name), 200), 'the user', 'username', username);
    }
  }),
  'sudo.unknown': reading(async (probe) => {
    const name = 'colloquy-no-such-user';
    hasError(await sudo(probe, name), 404, 'message', `404 User with ID or username '${name}' Not Found`);
  }),
  'sudo.never-own': reading(async (probe) => void hasStatus(await sudo(probe, ''), 404)),
  'sudo.administrators': reading(async (probe) => {
    await requireOrdinaryUser(probe);
    hasError(await asUser(probe, '1'), 403, 'message', '403 Forbidden - Must be admin to use sudo');
  }),
  'sudo.scope': reading(async (probe) => {
    const { username } = await requireAdministrator(probe);
    const got = await asUser(probe, username);
    if (got.status === 200) throw new Skipped('the token has the scope `sudo`');
    hasError(got, 403, 'error', 'insufficient_scope');
  }),
};
