import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService } from '../../../../src/server/index.js';
import { StoreError } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { newStore, newStoreByAddress } from '../../../support/stores.js';
import { acme } from '../../../support/worlds.js';

let url: string;
let client: pg.Client;
beforeAll(async () => {
  url = await newStoreByAddress();
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(() => client.end());

const otherUrl = (change: (target: URL) => void): string => {
  const target = new URL(url);
  change(target);
  return target.href;
};

const refusal = async (file: string): Promise<StoreError> => {
  const outcome = await openDatabase({ file }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  expect(inspect(outcome, { depth: Infinity, showHidden: true })).not.toMatch(/not-a-secret|guess/);
  return outcome as StoreError;
};

describe('a database that cannot be opened', () => {
  test.each([
    ['does not exist', otherUrl, 'pathname', '/nowhere', /^the database nowhere on 127\.0\.0\.1:\d+ does not exist/],
    ['rejects the login', otherUrl, 'password', 'guess', /^the database postgres on .* rejected the login/],
    ['has nobody who listens', otherUrl, 'port', '1', /^the database postgres on 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/],
    ['has a host that is not known', otherUrl, 'hostname', 'nowhere.invalid', /^the database postgres on nowhere\.invalid:\d+ cannot be reached/],
  ] as const)('for it %s, says so without the password', async (_, change, part, value, words) => {
    const { message, hint } = await refusal(change((target) => { target[part] = value; }));
    expect(message).toMatch(words);
    expect(hint).not.toBe('');
  });

  test.each([
    'postgres://tester:12/guess@localhost/db', 'postgres://tester:gu#ess@localhost/db', 'postgres://tester:guess@localhost:port/db',
  ])('with an invalid URL: the error shows the format: %s', async (bad) => {
    const { problem, hint } = await refusal(bad);
    expect(problem).toBe('invalid PostgreSQL URL');
    expect(hint).toContain('postgres://user:password@host:port/database');
  });

  test('with tables of another program is not changed', async () => {
    const other = await newStoreByAddress();
    const stranger = new pg.Client({ connectionString: other });
    await stranger.connect();
    await stranger.query('CREATE TABLE invoices (total INTEGER)');
    expect((await refusal(other)).message).toContain('tables of another program');
    const { rows } = await stranger.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
    expect(rows).toEqual([{ tablename: 'invoices' }]);
    await stranger.end();
  });

  test('of a newer version is rejected', async () => {
    const store = await newStore();
    const database = await openDatabase({ file: store });
    await database.write((queries) => queries.run(`UPDATE meta SET value = '999' WHERE name = 'schemaVersion'`));
    await database.close();
    expect((await refusal(store)).message).toContain('newer version of Colloquy (schema version 999;');
  });

  test('with another encoding: the error shows how to create one', async () => {
    await client.query(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const { message, hint } = await refusal(otherUrl((target) => { target.pathname = '/latin'; target.search = ''; }));
    expect(message).toContain('its encoding is LATIN1');
    expect(hint).toContain('--encoding UTF8');
  });
});

describe('a hint fits what is in the way:', () => {
  test('a schema that is not there', async () => {
    const { message, hint } = await refusal(otherUrl((target) => { target.searchParams.set('options', '-c search_path=nowhere'); }));
    expect(message).toContain('no schema has been selected to create in');
    expect(hint).toContain('search_path');
  });
});

test('a login without its password is rejected, and no connection stays open', async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const before = sockets();
  expect((await refusal(otherUrl((target) => { target.password = ''; }))).message).toContain('rejected the login');
  await expect.poll(sockets).toBeLessThanOrEqual(before);
});

test.each(['require', 'prefer', 'verify-ca'])('TLS with sslmode=%s is fully verified, without a warning', async (mode) => {
  const warnings: string[] = [];
  const note = (warning: Error) => { warnings.push(warning.message); };
  process.on('warning', note);
  expect((await refusal(otherUrl((target) => { target.searchParams.set('sslmode', mode); }))).message).toContain('does not support SSL');
  await new Promise((resolve) => { setImmediate(resolve); });
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('processes that open one new store at the same time all get in, and fill it once', async () => {
  const data = await newStore();
  const services = await Promise.all(Array.from({ length: 6 }, () => openService({ data, world: acme })));
  const [one] = services;
  const got = await one!.handle({ method: 'GET', target: '/-/world', headers: {} });
  const stored = JSON.parse(String(got.body)) as { users: unknown[] };
  expect(stored.users).toHaveLength(acme.users!.length);
  await Promise.all(services.map((service) => service.close()));
});

test('text is in the order of its bytes, whatever the language of the database', async () => {
  await client.query(`CREATE DATABASE english ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C' TEMPLATE template0`);
  const texts = ['a', 'B', '_', 'Z', 'ä', 'é', 'e\u0301', '😀', '\uffee', 'a b', 'ab', ''];
  const stores = await Promise.all([
    openDatabase({ file: otherUrl((target) => { target.pathname = '/english'; target.search = ''; }) }), openDatabase(),
  ]);
  const orders = await Promise.all(stores.map(async (database) => {
    await database.write(async (queries) => {
      for (const text of texts) await queries.run(`INSERT INTO appearance (name, value) VALUES (?, '')`, text);
    });
    return database.all<{ name: string }>('SELECT name FROM appearance ORDER BY name');
  }));
  expect(orders[0]).toEqual(orders[1]);
  expect(orders[0]).toHaveLength(texts.length);
  await Promise.all(stores.map((database) => database.close()));
});

test('acknowledged changes are on disk, even if the database has synchronous_commit off', async () => {
  await client.query('CREATE DATABASE hasty');
  await client.query('ALTER DATABASE hasty SET synchronous_commit = off');
  const database = await openDatabase({ file: otherUrl((target) => { target.pathname = '/hasty'; target.search = ''; }) });
  expect(await database.write((queries) => queries.get('SHOW synchronous_commit'))).toEqual({ synchronous_commit: 'on' });
  await database.close();
});
