import { numbered } from '../../client/errors.js';
import { isHash } from '../../wire/brackets.js';
import type { App } from '../app.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';
import type { Answer, Probe } from './probe.js';

const seconds = { suspicious: 60, wrong: 300 };

/** Whether the address leads to the service, how its clock goes, and which version it is. */
export const serviceFound = async (
  app: App, probe: Probe, address: string,
): Promise<{ findings: Finding[]; isThere: boolean }> => {
  const outcome = await probe('/version');
  if ('failure' in outcome) {
    const { message, hint } = outcome.failure;
    return { isThere: false, findings: [fail('service', message, hint)] };
  }
  const { answer } = outcome;
  const service = answering(answer, address);
  const isThere = service.state !== 'fail';
  return { isThere, findings: [service, clockFound(app.now(), answer), ...isThere ? [versionFound(answer)] : []] };
};

const answering = ({ status, isOurs, words }: Answer, address: string): Finding => {
  if (status === 407) {
    return fail('service', 'the proxy wants to know who you are', 'put user and password into the proxy\'s address');
  }
  if (status === 429) {
    return warn('service', `${address} answers that there were too many requests`, 'wait a minute, then try again');
  }
  if (status >= 500) {
    return fail('service', `${address} answers ${numbered(status, words)}`, 'try again later, or ask who runs it');
  }
  if (!isOurs) {
    return fail('service', `${address} answers ${status}, and not as the interface does: ${words}`,
      'check --url: it is what stands before /api/v4');
  }
  return ok('service', `${address} answers`);
};

const clockFound = (now: Date, { headers }: Answer): Finding => {
  const theirs = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(theirs)) return skip('clock', 'the service does not tell its time');
  const ahead = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(ahead) < seconds.suspicious) return ok('clock', 'agrees with the service');
  const message = `this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service`;
  const remedy = 'set the clock: certificates and tokens expire by it';
  return Math.abs(ahead) < seconds.wrong ? warn('clock', message, remedy) : fail('clock', message, remedy);
};

const versionFound = ({ status, body }: Answer): Finding => {
  const version = isHash(body) && typeof body['version'] === 'string' ? body['version'] : null;
  if (status !== 200 || version === null) return skip('version', 'the service does not tell');
  const [major = 0, minor = 0] = version.split('.').map((part) => parseInt(part, 10));
  const isOld = major < 12 || (major === 12 && minor < 7);
  return isOld ? warn('version', `${version}, which has no appearance yet`, 'appearance needs 12.7 or newer')
    : ok('version', version);
};
