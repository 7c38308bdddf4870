import { proxyFor } from '../../client/proxy.js';
import type { BaseUrl } from '../../client/base-url.js';
import type { App } from '../app.js';
import { proxySettings } from '../reach.js';
import { credentialAt, type Credential } from '../settings/credential.js';
import type { Settings } from '../settings/settings.js';
import { storageOf } from '../settings/tokens.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';

/** Where the settings come from. */
export const sourcesFound = (app: App, settings: Settings): Finding[] => {
  const { url, project, group, from } = settings;
  const credential = (url && credentialAt(app, settings, url)) ?? settings.credential;
  return [
    url ? ok('url', `${url.href} from ${from.url}`)
      : fail('url', 'no service is named', 'give --url, set COLLOQUY_URL, or log in with `colloquy auth login`'),
    credential ? ok('token', `from ${credential.from}${storage(app, credential)}`)
      : skip('token', 'none of the settings at hand names one'),
    project === null ? skip('project', 'none is named; --project or COLLOQUY_PROJECT does that')
      : ok('project', `${project} from ${from.project}`),
    group === null ? skip('group', 'none is named; --group or COLLOQUY_GROUP does that')
      : ok('group', `${group} from ${from.group}`),
  ];
};

const storage = (app: App, { kept }: Credential): string => kept ? `, kept in ${storageOf(app, kept)}` : '';

/** How the way to the service is protected, and whom it goes through. */
export const wayFound = ({ env }: App, { origin }: BaseUrl, { tls }: Settings): Finding[] =>
  [proxyFound(env, origin), encryptionFound(env, origin, tls.ca)];

const proxyFound = (env: App['env'], origin: string): Finding => {
  try {
    const { proxy, noProxy } = proxySettings(env);
    const used = proxyFor(origin, { proxy, noProxy });
    if (used) return ok('proxy', `through ${used.origin}`);
    return ok('proxy', proxyFor(origin, { proxy }) ? `none, because of NO_PROXY` : 'none');
  } catch (error) {
    return fail('proxy', (error as Error).message, 'mend HTTPS_PROXY or HTTP_PROXY: http://host:port');
  }
};

const encryptionFound = (env: App['env'], origin: string, ca: string | null): Finding => {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:') {
    const isHere = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    return isHere ? ok('encryption', 'none, and none is needed on this machine')
      : warn('encryption', 'the token travels readable for everybody on the way', 'use an address with https://');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return warn('encryption', 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody stand in for the service',
      'unset it, and name the certificate authority with --ca-cert');
  }
  return ok('encryption', ca === null ? 'https' : `https, with the authorities in ${ca}`);
};
