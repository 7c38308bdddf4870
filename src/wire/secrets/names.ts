import { sudoName } from '../../contract/conventions.js';

export const secretWords =
  'token|secret|password|passwd|passphrase|credential|authorization|cookie|api[-_]?key|private[-_]?key';

const secretName = new RegExp(`(${secretWords})s?\\s*(\\[|$)`, 'i');

export const secretWord = new RegExp(secretWords, 'i');

export const isSecretName = (name: string): boolean => secretName.test(name);

export const mentionsSecret = (text: string): boolean => secretWord.test(text);

/** Links to pages leave it out (behavior: tokens.parameter, tokens.oauth-parameter). */
export const isCredential = (name: string): boolean => mentionsSecret(name) || name.split('[', 1)[0] === sudoName;

/** A key such as `token_type` says something about a secret. A URL is searched for secrets. */
const harmlessEnds: ReadonlySet<string> = new Set([
  'type', 'types', 'at', 'on', 'in', 'name', 'names', 'scope', 'scopes', 'enabled', 'disabled', 'count', 'limit',
  'length', 'size', 'required', 'expired', 'expires', 'expiration', 'interval', 'lifetime', 'policy', 'status', 'state',
  'method', 'methods', 'mode', 'format', 'algorithm', 'kind', 'level', 'visibility', 'url', 'uri', 'endpoint', 'title',
  'description', 'label', 'message', 'text', 'hint', 'icon', 'detection', 'scanning', 'parameter', 'prefix',
]);

const secretEnd = new RegExp('(?:token|secret|password|passwd|passphrase|passcode|credential|authorization|cookie|jwt'
  + '|(?:api|private|access)key)s?$');

const otherWords: ReadonlySet<string> = new Set([
  'pat', 'pats', 'pass', 'pw', 'pwd', 'cred', 'creds', 'auth', 'auths', 'otp', 'csrf', 'xsrf', 'sid', 'sess', 'pem',
  'bearer', 'kubeconfig', 'netrc', 'htpasswd', 'hmac', 'totp', 'mfa', 'tfa', 'psk', 'crumb', 'keytab',
]);

const keyOwners = 'api|[a-z]*access|private|secret|sign|signing|encrypt|encrypted|encryption|decryption|master|account'
  + '|app|application|gcp|azure|subscription|shared|storage|license|auth|session|hmac|consumer|function|functions'
  + '|server|admin|webhook|ssl|tls|pem|rsa|client|root|vault|bot|unseal|cert|certificate';

const secretPhrases = new RegExp(`(?:^|_)(?:${[
  `(?:${keyOwners})_?keys?(?:_id)?`, '[a-z]*sess(?:ion)?_?id', 'session_(?:token|cookie)s?', 'code_verifier',
  '(?:recovery|backup|device|auth|verification|login|reset)_codes?', '(?:saml|client)_?(?:response|assertion)',
  'docker_?(?:auth_)?config(?:_?json)?', 'kube_config', '(?:amz|goog|oss)_signature',
].join('|')})$`);

const readSecretKey = (key: string): boolean => {
  const named = key.replace(/([a-z\d])(?=[A-Z])/g, '$1_').toLowerCase().match(/[a-z]+/g) ?? [];
  if (named.length > 1 && harmlessEnds.has(named.at(-1)!)) return false;
  return named.some((word) => otherWords.has(word) || secretEnd.test(word)) || secretPhrases.test(named.join('_'))
    || (/^[A-Z][A-Z\d_]+$/.test(key) && isKeyVariable(key));
};

const isKeyVariable = (name: string): boolean => /(?:^|[_-])[A-Z]*KEYS?(?:[_-]|$)/i.test(name);

/** The same few keys come again and again. */
export const createMemory = <T>(read: (name: string) => T) => {
  const known = new Map<string, T>();
  return (name: string): T => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = read(name);
    if (known.size < 10_000 && name.length < 100) known.set(name, made);
    return made;
  };
};

/** Not `token_type`, `tokenizer` and `secretary`. */
export const isSecretKey: (key: string) => boolean = createMemory(readSecretKey);

/** `PWD` alone is the working directory. */
export const isSecretVariable = (name: string): boolean =>
  name !== 'PWD' && (isSecretKey(name) || isKeyVariable(name));

const signatures = /^(?:(?:.*[-_])?(?:sig|signature)|hmac)$/i;

/** As OAuth, single sign-on and content networks name them in URLs, where such a short name says enough. */
const openingParameters = /^(?:code|ticket|session|sas|hdn(?:ea|ts))$/i;

/** A signature opens the URL that it signs. */
export const isSecretParameter = (name: string): boolean => mentionsSecret(name) || isSecretKey(name)
  || signatures.test(name) || openingParameters.test(name);

const publicKeyHeader = /^(?:idempotency|surrogate|cache|sec-websocket|x-cache|x-idempotency)-key/;

export const isSecretHeader = (name: string): boolean => /auth/i.test(name) || isSecretParameter(name)
  || (/key$|(?:^|-)(?:session|signature|ticket|sso)(?:-|$)/i.test(name) && !publicKeyHeader.test(name));
