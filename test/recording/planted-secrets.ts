import { createHash } from 'node:crypto';
import { gzipSync, deflateSync, brotliCompressSync } from 'node:zlib';
import type { Exchanged } from '../../src/recording/recorder.js';

/** Where a secret is, and what else has the text of the exchange. */
export interface PlantedSecret {
  readonly where: string;
  readonly secret: string;
  readonly exchanged: Exchanged;
}

type Request = Partial<Exchanged['request']>;
type Response = Partial<Exchanged['response']>;

export const exchange = (request: Request, response: Response = {}): Exchanged => ({
  request: { method: 'GET', target: '/api/v4/version', headers: {}, ...request },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{}', ...response },
  time: '2024-05-01T12:00:00.000Z', duration: 3, user: null,
});

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x');
/** Another one for each place: letters and digits, as most services make them. */
const opaque = (where: string): string => `q7${digest(where).slice(0, 22)}`;
const upper = (where: string, length: number): string => digest(`${where}!`).toUpperCase().slice(0, length);
const hex = (where: string, length: number): string => createHash('sha512').update(where).digest('hex').slice(0, length);

type Plant = (secret: string) => Exchanged;
const planted = (where: string, plant: Plant, secret = opaque(where)): PlantedSecret =>
  ({ where, secret, exchanged: plant(secret) });
/** In each of the two directions. */
const both = (where: string, type: string, body: (secret: string) => string | Uint8Array): PlantedSecret[] => [
  planted(`request, ${where}`, (secret) =>
    exchange({ method: 'POST', target: '/api/v4/x', headers: { 'content-type': type }, body: body(secret) })),
  planted(`response, ${where}`, (secret) => exchange({}, { headers: { 'content-type': type }, body: body(secret) })),
];
const inResponse = (where: string, body: (secret: string) => string, secret?: string, type = 'application/json') =>
  planted(`response, ${where}`, (one) => exchange({}, { headers: { 'content-type': type }, body: body(one) }), secret);
const inRequest = (where: string, type: string, body: (secret: string) => string | Uint8Array, target = '/api/v4/x', secret?: string) =>
  planted(`request, ${where}`, (one) => exchange({ method: 'POST', target, headers: { 'content-type': type }, body: body(one) }), secret);
const json = (value: unknown): string => JSON.stringify(value);
const form = 'application/x-www-form-urlencoded';

const basic = (user: string, password: string): string => Buffer.from(`${user}:${password}`).toString('base64');

const requestHeaders: PlantedSecret[] = [
  ...[
    'private-token', 'job-token', 'deploy-token', 'x-jwt', 'x-pat', 'x-access-key', 'x-session-id', 'x-api-key', 'apikey',
    'x-auth', 'x-auth-key', 'x-user-password', 'x-session', 'sessionid', 'x-client-secret', 'ocp-apim-subscription-key',
    'x-functions-key', 'x-csrf-token', 'x-xsrf', 'x-otp', 'x-amz-security-token', 'x-goog-iap-jwt-assertion', 'x-gitlab-token',
    'x-signing-key', 'x-credentials', 'x-pass', 'x-encryption-key', 'x-sid', 'x-sess',
  ].map((name) => planted(`request header ${name}`, (secret) => exchange({ headers: { [name]: secret } }))),
  ...['Bearer', 'bearer', 'Token', 'ApiKey', 'SSWS', ''].map((scheme) => planted(`request header authorization ${scheme}`,
    (secret) => exchange({ headers: { authorization: `${scheme} ${secret}`.trim() } }))),
  planted('request header authorization Basic', (secret) => exchange({ headers: { authorization: `Basic ${basic('ada', secret)}` } })),
  planted('request header authorization Basic, token as user', (secret) =>
    exchange({ headers: { authorization: `Basic ${basic(secret, 'x-oauth-basic')}` } })),
  planted('request header authorization Token token=', (secret) => exchange({ headers: { authorization: `Token token="${secret}", email="ada@acme.dev"` } })),
  planted('request header authorization Digest', (secret) =>
    exchange({ headers: { authorization: `Digest username="ada", realm="x", response="${secret}"` } })),
  planted('request header authorization AWS4', (secret) =>
    exchange({ headers: { authorization: `AWS4-HMAC-SHA256 Credential=ada/x, SignedHeaders=host, Signature=${secret}` } })),
  planted('request header cookie', (secret) => exchange({ headers: { cookie: `theme=dark; _gitlab_session=${secret}; lang=en` } })),
  planted('request header cookie, encoded', (secret) => exchange({ headers: { cookie: `remember_user_token=${encodeURIComponent(secret)}` } }),
    `eyJ${opaque('cookie')}==--${hex('cookie', 20)}`),
  planted('request header referer', (secret) => exchange({ headers: { referer: `https://git.acme.dev/x?private_token=${secret}` } })),
  planted('request header proxy-authorization', (secret) => exchange({ headers: { 'proxy-authorization': `Basic ${basic('proxy', secret)}` } })),
  planted('request header with a token by shape', (secret) => exchange({ headers: { 'x-note': `run with ${secret}` } }), `glpat-${opaque('x-note')}`),
  planted('request header x-debug with Bearer', (secret) => exchange({ headers: { 'x-debug': `sent Bearer ${secret}` } })),
];

const responseHeaders: PlantedSecret[] = [
  ...['x-jwt', 'x-pat', 'x-access-key', 'x-session-id', 'x-csrf-token', 'x-refresh-token', 'x-api-key', 'x-new-password', 'x-auth-token', 'x-signature']
    .map((name) => planted(`response header ${name}`, (secret) => exchange({}, { headers: { 'content-type': 'application/json', [name]: secret } }))),
  planted('response header set-cookie', (secret) => exchange({}, { headers: { 'set-cookie': `_gitlab_session=${secret}; path=/; HttpOnly` } })),
  planted('response header set-cookie, the second', (secret) => exchange({},
    { headers: { 'set-cookie': `a=b; expires=Fri, 01 Jan 2038 00:00:00 GMT, remember=${secret}; path=/` } })),
  ...[
    'X-Amz-Signature=S', 'X-Amz-Security-Token=S', 'X-Amz-Credential=S', 'X-Goog-Signature=S', 'sig=S', 'Signature=S', 'token=S', 'access_token=S',
    'AWSAccessKeyId=S&Expires=1', 'x=1&amp;token=S', 'jwt=S', 'code_verifier=S', 'code=S', 'ticket=S', 'session=S', 'hdnea=S',
  ].map((query) => planted(`response header location ${query}`, (secret) => exchange({}, {
    status: 302, headers: { location: `https://storage.acme.dev/bucket/a.zip?X-Amz-Date=20240501&${query.replace(/=S(?=&|$)/, `=${secret}`)}&x=1` }, body: '',
  }), opaque(`location ${query}`))),
  planted('response header location, user', (secret) => exchange({}, { status: 302, headers: { location: `https://ada:${secret}@storage.acme.dev/a.zip` },
    body: '' })),
  planted('response header location, fragment', (secret) => exchange({}, { status: 302,
    headers: { location: `https://app.acme.dev/cb#access_token=${secret}&token_type=bearer` }, body: '' })),
  planted('response header location, nested', (secret) => exchange({}, { status: 302,
    headers: { location: `https://app.acme.dev/login?next=${encodeURIComponent(`https://x.dev/?token=${secret}&a=1`)}` }, body: '' })),
  planted('response header content-location', (secret) => exchange({}, { headers: { 'content-location': `/x?private_token=${secret}` } })),
  planted('response header link', (secret) => exchange({},
    { headers: { link: `<https://git.acme.dev/api/v4/x?page=2&private_token=${secret}>; rel="next"` } })),
  planted('response header refresh', (secret) => exchange({}, { headers: { refresh: `0; url=https://git.acme.dev/x?token=${secret}` } })),
];

const targets: PlantedSecret[] = [
  'private_token=S', 'access_token=S', 'job_token=S', 'rss_token=S', 'jwt=S', 'sig=S', 'X-Amz-Signature=S', 'private%5Ftoken=S',
    'variable[value]=S&variable[key]=DEPLOY_TOKEN',
  'key=DB_PASSWORD&value=S', 'password=S', 'pat=S', 'session_id=S', 'access_key=S', 'url=https%3A%2F%2Fx.dev%2F%3Ftoken%3DS%26a%3D1',
    'url=https%3A%2F%2Fada%3AS%40x.dev%2F',
  'api_key=S', 'auth=S', 'filter=%7B%22token%22%3A%22S%22%7D', 'tokens[]=S', 'client_secret=S&grant_type=x',
].map((query) => planted(`target ${query}`, (secret) => exchange({ target: `/api/v4/x?a=1&${query.replace(/S(?=&|$|%)/, secret)}` })));

const named: PlantedSecret[] = [
  'token', 'private_token', 'runners_token', 'feed_token', 'accessToken', 'apiKey', 'secretAccessKey', 'access_key', 'jwt', 'pat', 'session_id', 'sessionId',
  'client_secret', 'new_password', 'passphrase', 'credentials', 'csrf', 'auth', 'otp', 'privateKey', 'password_confirmation', 'signing_key',
    'dockerconfigjson', 'refresh-token', 'TOKEN_2', 'ldap_bind_pw', 'pem', 'gcp_key',
].flatMap((key) => both(`JSON ${key}`, 'application/json', (secret) => json({ id: 1, [key]: secret, name: 'x' })));

const inJson: PlantedSecret[] = [
  ...both('JSON url of a webhook', 'application/json', (s) => json({ id: 1, url: `https://hooks.acme.dev/in?token=${s}&a=1`, push_events: true })),
  ...both('JSON url with a signature', 'application/json', (s) => json({ download: `https://s3.acme.dev/a?X-Amz-Date=1&X-Amz-Signature=${s}` })),
  ...both('JSON url with a user', 'application/json', (s) => json({ import_url: `https://oauth2:${s}@git.acme.dev/acme/app.git` })),
  ...both('JSON url in Markdown', 'application/json', (s) => json({ body: `see [it](https://x.dev/a?secret=${s}) and go` })),
  ...both('variable', 'application/json', (s) => json({ variable_type: 'env_var', key: 'DEPLOY_TOKEN', value: s, protected: false })),
  ...both('variable, value first', 'application/json', (s) => json({ value: s, key: 'SSH_PRIVATE_KEY' })),
  ...both('variable with an ordinary name that is masked', 'application/json', (s) => json([{ key: 'TARGET', value: s, masked: true }])),
  ...both('variables by name', 'application/json', (s) => json({ env: [{ name: 'HOME', value: '/root' }, { name: 'DB_PASS', value: s }] })),
  ...both('header as a pair', 'application/json', (s) => json({ custom_headers: [{ key: 'Authorization', value: `Bearer ${s}` }] })),
  ...both('url variable', 'application/json', (s) => json({ url_variables: [{ key: 'abc', value: s }] })),
  ...both('secret_value of a pipeline', 'application/json', (s) => json({ variables: [{ key: 'REGISTRY_AUTH', secret_value: s }] })),
  ...both('Authorization: Bearer in a text', 'application/json', (s) => json({ body: `curl -H "Authorization: Bearer ${s}" https://x.dev` })),
  ...both('Authorization: Basic in a text', 'application/json', (s) => json({ body: `send Authorization: Basic ${basic('ada', s)} with it` })),
  ...both('PRIVATE-TOKEN: in a text', 'application/json', (s) => json({ body: `curl --header 'PRIVATE-TOKEN: ${s}' https://x.dev` })),
  ...both('Bearer in a text', 'application/json', (s) => json({ body: `it sent Bearer ${s} to them` })),
  ...both('Cookie: in a text', 'application/json', (s) => json({ body: `Cookie: a=b; session=${s}` })),
  ...both('export in a text', 'application/json', (s) => json({ body: `export DEPLOY_TOKEN=${s}\nmake` })),
  ...both('option in a text', 'application/json', (s) => json({ body: `run glab --token ${s} mr list` })),
  ...both('curl -u in a text', 'application/json', (s) => json({ body: `curl -u ada:${s} https://x.dev` })),
  ...both('password: in a text', 'application/json', (s) => json({ body: `user: ada\npassword: ${s}\n` })),
  ...both('X-Api-Key in a text', 'application/json', (s) => json({ body: `X-Api-Key: ${s}` })),
  ...both('assignment in code in a text', 'application/json', (s) => json({ body: `const apiKey = '${s}';` })),
  ...both('nested JSON', 'application/json', (s) => json({ payload: json({ token: s, a: 1 }) })),
  ...both('JSON nested twice', 'application/json', (s) => json({ payload: json({ inner: json({ access_token: s }) }) })),
  ...both('part of JSON in a text', 'application/json', (s) => json({ body: `got {"id":1,"secret":"${s}"} from it` })),
  ...both('list of a secret name', 'application/json', (s) => json({ tokens: ['aaaaaaa1', s] })),
  ...both('object of a secret name', 'application/json', (s) => json({ credentials: { user: 'ada', value: s } })),
  ...both('JSON with spaces and escapes', 'application/json', (s) => `{ "tok\\u0065n" : "${s}" }`),
  ...both('JSON Lines', 'application/x-ndjson', (s) => `{"a":1}\n{"token":"${s}"}\n`),
  ...both('JSON as text', 'text/plain', (s) => json({ token: s })),
  ...both('JSON without a type', '', (s) => json({ deep: [{ password: s }] })),
  ...both('problem JSON', 'application/problem+json', (s) => json({ detail: `no access with token=${s}` })),
  ...both('file in Base64', 'application/json', (s) => json({ file_name: '.env', encoding: 'base64',
    content: Buffer.from(`A=1\nAPI_TOKEN=${s}\n`).toString('base64') })),
  ...both('GraphQL variables', 'application/json', (s) => json({ query: 'mutation($t: String!) { a(t: $t) }', variables: { apiToken: s } })),
  ...both('GraphQL literal', 'application/json', (s) => json({ query: `mutation { login(password: "${s}") { id } }` })),
  ...both('GraphQL pair', 'application/json', (s) => json({ query: `mutation { set(input: {key: "DEPLOY_TOKEN", value: "${s}"}) { id } }` })),
];

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const part = (end: string, head: string, content: string): string => [`--b0undary`, head, '', content, '--b0undary--', ''].join(end);
const disposition = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;
const multipart = 'multipart/form-data; boundary=b0undary';

const formats: PlantedSecret[] = [
  ...both('GraphQL', 'application/graphql', (s) => `mutation { login(token: "${s}") { id } }`),
  ...both('GraphQL pair in GraphQL', 'application/graphql', (s) => `mutation { set(key: "AWS_SECRET_KEY", value: "${s}") { id } }`),
  ...both('XML element', 'application/xml', (s) => `<user><name>ada</name><token>${s}</token></user>`),
  ...both('XML element with attributes', 'text/xml', (s) => `<a><ns:password type="x">${s}</ns:password></a>`),
  ...both('XML attribute', 'application/xml', (s) => `<server id="x" password="${s}"/>`),
  ...both('XML CDATA', 'application/xml', (s) => `<a><apiKey><![CDATA[${s}]]></apiKey></a>`),
  ...both('XML pair', 'application/xml', (s) => `<variable><key>DEPLOY_TOKEN</key><value>${s}</value></variable>`),
  ...both('XML pair of attributes', 'application/soap+xml', (s) => `<add key="DbPassword" value="${s}" />`),
  ...both('YAML', 'application/yaml', (s) => lines('user: ada', `token: ${s}`, 'x: 1')),
  ...both('YAML with quotes', 'text/yaml', (s) => lines('a:', `  "private_token": '${s}'`)),
  ...both('YAML pair', 'application/x-yaml', (s) => lines('env:', '  - name: DB_PASSWORD', `    value: ${s}`)),
  ...both('YAML list', 'application/yaml', (s) => lines('tokens:', '  - one', `  - ${s}`)),
  ...both('YAML block', 'application/yaml', (s) => lines('secret: |', '  first', `  ${s}`, 'x: 1')),
  ...both('YAML flow', 'application/yaml', (s) => lines(`a: {password: ${s}, b: 1}`)),
  ...both('TOML', 'application/toml', (s) => lines('[registry]', `token = "${s}"`)),
  ...both('dotenv', 'text/plain', (s) => lines('A=1', `DB_PASSWORD=${s}`)),
  ...both('connection string', 'text/plain', (s) => `Server=db;User=ada;Password=${s};Timeout=5`),
  ...both('netrc', 'text/plain', (s) => `machine git.acme.dev login ada password ${s}`),
  inResponse('HTML meta', (s) => `<meta name="csrf-token" content="${s}" />`, undefined, 'text/html'),
  inResponse('HTML input', (s) => `<input type="hidden" name="authenticity_token" value="${s}" />`, undefined, 'text/html'),
  inResponse('event stream', (s) => `event: x\ndata: {"token":"${s}"}\n\n`, undefined, 'text/event-stream'),
  inResponse('trace of a job', (s) => `\u001b[0K$ curl -H "JOB-TOKEN: ${s}" https://x.dev\r\n`, undefined, 'text/plain'),
  ...both('form', form, (s) => `a=1&client_secret=${s}&b=2`),
  ...both('form with brackets', form, (s) => `user%5Bpassword%5D=${s}`),
  ...both('form with a line feed', form, (s) => `a=1\ntoken=${s}\n`),
  ...both('form pair', form, (s) => `key=DEPLOY_TOKEN&value=${s}`),
  ...both('form list of pairs', form, (s) => `variables[][key]=HOME&variables[][value]=x&variables[][key]=MY_SECRET&variables[][value]=${s}`),
  ...both('form field with JSON', form, (s) => `variables=${encodeURIComponent(json({ token: s }))}`),
  ...both('form field with a URL', form, (s) => `url=${encodeURIComponent(`https://x.dev/?token=${s}`)}&push_events=true`),
  ...both('form as text', 'text/plain', (s) => `a=1\r\npassword=${s}\r\n`),
  ...['\r\n', '\n'].flatMap((end) => {
    const of = end === '\n' ? 'with LF only, ' : '';
    return [
      ...both(`multipart ${of}field`, multipart, (s) => part(end, disposition('private_token'), s)),
      ...both(`multipart ${of}pair`, multipart, (s) => part(end, disposition('key'), ['DB_PASSWORD', '--b0undary', disposition('value'), '', s].join(end))),
      ...both(`multipart ${of}JSON file`, multipart, (s) => part(end, `${disposition('file', '; filename="a.json"')}${end}Content-Type: application/json`,
        json({ a: [{ api_key: s }] }))),
      inRequest(`multipart ${of}JSON file beside bytes`, multipart, (s) => Buffer.from(part(end, disposition('file', '; filename="a.json"'),
        [json({ token: s }), '--b0undary', disposition('logo', '; filename="a.png"'), '', '\u00ff\u00d8'].join(end)), 'latin1')),
      ...both(`multipart ${of}YAML file`, multipart, (s) => part(end, disposition('file', '; filename="values.yaml"'), `password: ${s}`)),
      ...both(`multipart ${of}text field`, multipart, (s) => part(end, disposition('note'), `use Authorization: Bearer ${s}`)),
    ];
  }),
  inRequest('variable that the path names, JSON', 'application/json', (s) => json({ value: s }), '/api/v4/projects/1/variables/DEPLOY_TOKEN'),
  inRequest('variable that the path names, form', form, (s) => `value=${s}&protected=true`, '/api/v4/groups/1/variables/DB_PASSWORD?filter=x'),
  inRequest('header of a webhook that the path names', form, (s) => `value=${s}`, '/api/v4/projects/1/hooks/2/custom_headers/X-Thing'),
  ...([['gzip', gzipSync], ['deflate', deflateSync], ['br', brotliCompressSync]] as const).flatMap(([encoding, compress]) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    return [
      planted(`request, ${encoding}`, (s) => exchange({ method: 'POST', headers, body: compress(json({ token: s })) })),
      planted(`response, ${encoding}`, (s) => exchange({}, { headers, body: compress(json({ body: `PRIVATE-TOKEN: ${s}` })) })),
    ];
  }),
  planted('request, form with gzip', (s) => exchange({ method: 'POST', headers: { 'content-type': form, 'content-encoding': 'gzip' },
    body: gzipSync(`a=1&token=${s}`) })),
  inResponse('Latin-1', () => '', undefined, 'text/plain'),
].map((row) => row.where !== 'response, Latin-1' ? row : planted(row.where, (s) => exchange({}, {
  headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from(`caf\u00e9 PRIVATE-TOKEN: ${s}`, 'latin1'),
})));

const jwt = (name: string): string => `eyJ${digest(name).slice(0, 20)}.eyJ${digest(`${name}2`).slice(0, 24)}.${digest(`${name}3`)}`;

/** What is a token wherever it stands. */
const shapes: readonly (readonly [name: string, token: string])[] = [
  ...['glpat', 'gldt', 'gloas', 'glcbt', 'glrt', 'glrtr', 'glptt', 'glft', 'glsoat', 'glagent', 'glimt', 'glffct', 'glwt']
    .map((prefix) => [prefix, `${prefix}-${digest(prefix).slice(0, 20)}`] as const),
  ['glpat, routable', `glpat-${digest('r').slice(0, 27)}.01.0z1abcdef`], ['runner registration', `GR1348941${digest('g').slice(0, 20)}`],
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((prefix) => [prefix, `${prefix}_${digest(prefix).slice(0, 36)}`] as const),
  ['github_pat', `github_pat_11ABCDEFG0${digest('p').slice(0, 12)}_${digest('q').slice(0, 40)}`],
  ['AKIA', `AKIA${upper('akia', 16)}`], ['ASIA', `ASIA${upper('asia', 16)}`],
  ['xoxb', `xoxb-123456789012-${digest('b').slice(0, 24)}`], ['xoxp', `xoxp-1234567890-${digest('p')}`], ['xapp', `xapp-1-A0123-${digest('a')}`],
  ['Slack webhook', `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${digest('w').slice(0, 24)}`],
  ['JWT', jwt('a')], ['JWE', `${jwt('e')}.${digest('e4')}.${digest('e5').slice(0, 22)}`],
  ['AIza', `AIza${digest('i').slice(0, 35)}`], ['ya29', `ya29.${digest('y')}`], ['npm', `npm_${digest('n').slice(0, 36)}`],
  ['sk', `sk-proj-${digest('k')}`], ['sk_live', `sk_live_${digest('l').slice(0, 24)}`], ['PyPI', `pypi-AgEIcHlwaS5vcmc${digest('o')}`],
  ['Vault', `hvs.${digest('v')}`], ['Grafana', `glsa_${digest('f').slice(0, 32)}_1a2b3c4d`], ['Docker Hub', `dckr_pat_${digest('d').slice(0, 27)}`],
  ['Stripe webhook', `whsec_${digest('h').slice(0, 32)}`], ['Figma', `figd_${digest('figma').slice(0, 36)}`],
  ['Databricks', `dapi${hex('d', 32)}`],
  ['Telegram', `123456789:AA${digest('t').slice(0, 33)}`], ['SendGrid', `SG.${digest('s').slice(0, 22)}.${digest('s2')}`],
];

const shaped: PlantedSecret[] = shapes.flatMap(([name, token]) => [
  inResponse(`${name} in a note`, (s) => json({ body: `use ${s}, please` }), token),
  inResponse(`${name} after an escape`, (s) => json({ body: `use\n${s}\nplease` }), `${token.slice(0, -3)}b1Z`),
  planted(`${name} in a path`, (s) => exchange({ target: `/api/v4/x/${encodeURIComponent(s)}?a=${encodeURIComponent(s)}` }), `${token.slice(0, -3)}c2Y`),
]);

const key = ['-----BEGIN RSA PRIVATE KEY-----', digest('k1'), digest('k2'), '-----END RSA PRIVATE KEY-----'].join('\n');
const keys: PlantedSecret[] = [
  planted('response, private key in a note', () => exchange({}, { body: json({ body: `see\n${key}\n` }) }), digest('k1')),
  planted('request, private key in a variable', () => exchange({ method: 'POST', headers: { 'content-type': 'application/json' }, body: json({ key: 'CERT',
    value: key }) }), digest('k2')),
];

const odd = 'p@ss/w0rd+"x"\\=é&1;~';
const oddly: PlantedSecret[] = [
  planted('request header authorization Basic, odd', (s) => exchange({ headers: { authorization: `Basic ${basic('ada', s)}` } }), odd),
  planted('request, JSON password, odd', (s) => exchange({ method: 'POST', headers: { 'content-type': 'application/json' }, body: json({ password: s }) }),
    `${odd}q`),
  planted('response, JSON password, odd', (s) => exchange({}, { body: json({ password: s }) }), `${odd}s`),
  planted('request, form password, odd', (s) => exchange({ method: 'POST', headers: { 'content-type': form }, body: `password=${encodeURIComponent(s)}` }),
    `${odd}f`),
  planted('target password, odd', (s) => exchange({ target: `/api/v4/x?password=${encodeURIComponent(s)}` }), `${odd}t`),
];

/** Ways of other tools to write the same. */
const others: PlantedSecret[] = [
  ...['api-token', 'x-vault-token', 'x-appkey', 'x-id-token', 'x-bearer', 'x-sso', 'x-hub-signature-256', 'x-passcode', 'x-private-key', 'x-hmac', 'x-totp',
    'x-mfa-code', 'jenkins-crumb']
    .map((name) => planted(`request header ${name}`, (s) => exchange({ headers: { [name]: s } }))),
  ...[
    ['Markdown', '**Token:** S'], ['Markdown code', '`PRIVATE-TOKEN`: `S`'], ['table', '| DB_PASSWORD | S |'], ['Dockerfile', 'ENV API_TOKEN S'],
      ['docker login', 'docker login -u ada -p S x.dev'],
    ['npmrc', '//registry.npmjs.org/:_authToken=S'], ['PowerShell', '$env:GITLAB_TOKEN = "S"'], ['curl -d', "curl -d 'password=S' https://x.dev"],
      ['curl -F', 'curl -F token=S https://x.dev'],
    ['X-Vault-Token', "curl -H 'X-Vault-Token: S'"], ['Token token=', 'Authorization: Token token=S'], ['encoded header',
      'h=Authorization%3A%20Bearer%20S'], ['Set-Cookie', 'Set-Cookie: sid=S; Path=/; HttpOnly'],
    ['JSON with single quotes', "{'token': 'S', 'a': 1}"], ['Ruby hash', '{ :password => "S" }'], ['Go struct', 'Config{Token: "S"}'], ['compose',
      'environment:\n  - DB_PASSWORD=S'], ['git clone', 'git clone https://oauth2:S@git.example/a.git'],
    ['JDBC', 'jdbc:postgresql://db/x?user=ada&password=S'], ['redis', 'redis://:S@cache:6379/0'], ['pair in prose', '{key: "DEPLOY_TOKEN", value: "S"}'],
      ['presigned in prose', 'see https://s3.example/a?X-Amz-Signature=S.'],
    ['nested quotes',
      'run "curl -H \\"PRIVATE-TOKEN: S\\""'], ['letters alone after a header', 'PRIVATE-TOKEN: S'],
      ['prose', 'The password is S.'], ['prose with quotes', 'my token is: `S`, thanks'], ['Markdown with code', '**Password**: `S`'],
      ['setx', 'setx API_KEY S'],
      ['mysql', 'mysqldump -u ada -p"S" shop'], ['piped', 'echo S | docker login --password-stdin'], ['Digest alone', 'Authorization: Digest response="S"'],
      ['query alone', '?private_token=S&x=1'],
    ['two words', 'API key: S'], ['two words and a space', 'Secret key = S'], ['index', "config['token'] = 'S'"],
    ['index without spaces', 'env["api_key"]="S"'],
    ['npm config', 'npm config set //registry.npmjs.org/:_authToken S'], ['here-string', 'glab auth login --with-token <<< S'], ['PAT', 'my PAT is S'],
    ['signature alone', 'X-Amz-Signature=S'], ['webhook of a chat', 'https://acme.webhook.office.com/webhookb2/S'],
    ['webhook of Mattermost', 'https://chat.acme.dev/hooks/S'],
  ].map(([name, text]) => inResponse(`text, ${name}`, (s) => json({ body: `see\n${text!.replace(/(?<![A-Za-z_-])S(?![A-Za-z_-])/, s)}\nok` }),
    name === 'letters alone after a header' ? 'opensesamenow' : undefined)),
  ...[
    [{ Name: 'DbPassword', Value: 'S' }], { k: 'API_KEY', v: 'S' }, { id: 'AWS_SECRET', value: 'S' }, [['Authorization', 'Bearer S']], ['PRIVATE-TOKEN',
      'S'], { DEPLOY_TOKEN: { value: 'S', description: 'x' } }, { SSH_KEY: 'S' },
    { key: 'DB_PASSWORD', id: 'x', value: 'S' }, { app_key: 'S' }, { auths: { 'registry.dev': { auth: 'S' } } }, { headers: [{ name: 'Cookie',
      value: 'S' }] }, { token: ['S'] }, { variables: { API_TOKEN: 'S' } }, { 'X-Api-Key': 'S' },
    { saml_response: 'S' }, { unseal_key: 'S' }, { wifi_psk: 'S' }, { key: 'KUBE_CONFIG', value: 'S' }, { body: 'PAT: S' }, { userPass: 'S' }, { connectionString: 'Server=db;Password=S;' }, { env: 'A=1\nTOKEN=S' }, { webhook: { token: 'S', url: 'https://x.dev' } },
      { data: { secret: { nested: { deep: 'S' } } } }, { hidden: true, key: 'A', value: 'S' },
  ].flatMap((value) => both(`shape ${json(value)}`, 'application/json', (s) => json(value).replace('"S"', json(s)).replace(/\bS(?=[";\\])/, s))),
  ...[
    ['XML', 'application/xml', '<property name="password">S</property>'], ['Android', 'text/xml', '<string name="api_key">S</string>'], ['plist',
      'application/xml', '<dict><key>authToken</key><string>S</string></dict>'], ['XML value', 'application/xml', '<token type="x" value="S"/>'],
    ['settings.xml', 'application/xml', '<server><username>ada</username><password>S</password></server>'], ['SOAP', 'application/soap+xml',
      '<wsse:Password Type="x">S</wsse:Password>'],
    ['YAML secret', 'application/yaml', 'stringData:\n  db-password: S'], ['YAML value first', 'application/yaml', '- value: S\n  name: API_TOKEN'],
      ['YAML with comment', 'application/yaml', 'token: S # old'], ['YAML folded', 'application/yaml', 'private_key: >-\n  S\n'],
    ['HCL', 'text/plain', 'variable "db_password" {}\ntoken = "S"'], ['properties', 'text/x-java-properties', 'spring.datasource.password=S'], ['ini',
      'text/plain', '[db]\npassword = S'],
    ['GraphQL with variables', 'application/json', '{"query":"mutation($p: String!) { a(p: $p) { id } }","variables":{"input":{"password":"S"}}}'],
      ['GraphQL list', 'application/json', '[{"query":"{ a(accessToken: \\"S\\") }"}]'],
    ['form of a pipeline', form, 'ref=main&variables[DEPLOY_KEY]=S'], ['form of attributes', form,
      'variables_attributes[0][key]=X_TOKEN&variables_attributes[0][secret_value]=S'], ['form value first', form, 'value=S&key=DB_PASS'],
    ['OAuth form', form, 'grant_type=authorization_code&code_verifier=S&redirect_uri=x'], ['form pwd', form, 'user=ada&pwd=S'],
  ].flatMap(([name, type, text]) => both(name!, type!, (s) => text!.replace(/\bS\b/, s))),
];

/** Each with another secret. */
export const plantedSecrets: readonly PlantedSecret[] =
  [...requestHeaders, ...responseHeaders, ...targets, ...named, ...inJson, ...formats, ...shaped, ...keys, ...oddly, ...others];

const sha = hex('sha', 40);

/** What must stay as it is: a text of a note, or the value of a key. */
export const ordinaryBodies: readonly string[] = [
  ...[
    'the token of the parser', 'Token expiration is 30 days', 'tokens: 12', 'token = lexer.next()', 'if (token == null) return token;',
      'access_token: string',
    'the password is wrong', 'a secret: never tell', 'Basic authentication or Bearer tokens', 'bearer of bad news', 'set COLLOQUY_TOKEN, or log in',
      'password reset',
    'export TOKEN=$CI_JOB_TOKEN', '--token=$GITLAB_TOKEN', 'Authorization: Bearer <your-token>', 'PRIVATE-TOKEN: $TOKEN', 'curl -u $USER:$PASSWORD',
      `reverted in ${sha}`,
    `the token ${sha.slice(0, 8)} is a commit`, 'https://docs.acme.example/?page=2&sort=asc', 'key: value', 'keyboard: qwerty1', 'cookie: chocolate',
      'globals-and-others', 'glossary-of-tokens',
    'see /path/to/tokens/file-1.ts', 'pass: 12, fail: 3', 'const tokens = tokenize(text);', 'sk-learn-contrib', 'AKIA', 'eyJ is the start',
      'author: 12ab34cd', 'path=src/a1.ts',
    'session: 2024-05-01', 'it passes=12 of 13', 'fix(auth): handle token in v2.1', 'Tokens (v1.2.3): fixed', 'git@localhost:acme/app',
      'ssh://git@localhost/acme/app', 'secret=false',
    '<token>the parser</token>', 'name: TOKEN_TYPE', 'the key is "value"', '| token | meaning |', 'id: 12345678, value: ab12cd34', '["token", "parser"]',
      'name: README, value: x1y2z3w4',
    'The design_key is a1b2c3d4', 'Authorization: Bearer tokens are required', 'git log --author ada12 --oneline',
      'class TokenStream2 extends Stream<Token>', 'issue key: PROJ-1234', 'see #12 and !34 for tokens',
    'login with your password', 'password: must be 8 characters', '/api/v4/personal_access_tokens/self', 'x.token?.value2 ?? y',
      'return this.tokens[index1];', 'the password is required, and a token was created', 'the secret is out', 'echo hello1 | wc -c', 'the token is read twice',
  ].map((body) => json({ body })),
  json({ id: 12345678, sha, short_id: sha.slice(0, 8), path_with_namespace: 'x/y-1', iid: 3, position: { base_sha: sha, line_code: `${sha}_1_1` } }),
  json({ token_type: 'Bearer', expires_in: 7200, scope: 'api read_user', created_at: 1714564800 }),
  json({ ci_job_token_scope_enabled: true, secret_detection_enabled: false, password_authentication_enabled_for_web: true, reset_password_token: null }),
  json({ id: 4, name: 'deploy', revoked: false, scopes: ['api'], user_id: 7, expires_at: '2030-01-01', token_id: 12 }),
  json({ tokenizer: 'words-v2', secretary: 'x12345', author: { id: 1 }, authored_date: '2024-05-01', keywords: ['a1b2c3d4'], passed: 'yes-12',
    monkey: 'ab12cd34', prompt_tokens: 512 }),
  json({ labels: ['token', 'parser-2'], custom_attributes: [{ key: 'department', value: 'R2D2' }], signature_type: 'PGP',
    external_authorization_classification_label: 'a1b2c3' }),
  json([{ key: 'location', value: 'Antarctica 1' }, { key: 'REGION', value: 'eu-west-1', masked: false }]),
  json({ tokens: [{ id: 1, name: 'deploy-2', scopes: ['read_api'], created_at: '2024-05-01T12:00:00Z' }] }),
];
