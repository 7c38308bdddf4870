import { sudoName } from '../../contract/conventions.js';
import { callerOf, isAdministrator, requireOrdinaryUser } from '../caller.js';
import { reading, Skipped, type Checks, type Got, type Probe } from '../check.js';
import { hasError, hasStatus, objectIn, same } from '../expect.js';

const asUser = (probe: Probe, name: string): Promise<Got> =>
  probe.call('GET', '/user', { headers: { [sudoName]: name } });

/** As the administrator that the token is of. @throws Skipped without the right or the scope */
const sudo = async (probe: Probe, name: string): Promise<Got> => {
  if (!await isAdministrator(probe)) throw new Skipped('the token is not that of an administrator');
  const got = await asUser(probe, name);
  if (got.status === 403) throw new Skipped('the token has no scope `sudo`');
  return got;
};

export const sudoChecks: Checks = {
  'sudo.how': reading(async (probe) => {
    const { id, username } = await callerOf(probe);
    for (const name of [username, String(id)]) {
      const got = hasStatus(await sudo(probe, name), 200);
      same(got, 'the user', objectIn(got)['username'], username);
    }
  }),
  'sudo.unknown': reading(async (probe) => {
    const name = 'colloquy-no-such-user';
    hasError(await sudo(probe, name), 404, 'message', `404 User with ID or username '${name}' Not Found`);
  }),
  'sudo.never-own': reading(async (probe) => {
    hasStatus(await sudo(probe, ''), 404);
  }),
  'sudo.administrators': reading(async (probe) => {
    await requireOrdinaryUser(probe);
    hasError(await asUser(probe, '1'), 403, 'message', '403 Forbidden - Must be admin to use sudo');
  }),
  'sudo.scope': reading(async (probe) => {
    const { username, is_admin } = await callerOf(probe);
    if (is_admin !== true) throw new Skipped('the token is not that of an administrator');
    const got = await asUser(probe, username);
    if (got.status === 200) throw new Skipped('the token has the scope `sudo`');
    hasError(got, 403, 'error', 'insufficient_scope');
  }),
};
