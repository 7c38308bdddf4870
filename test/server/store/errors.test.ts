import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { OutcomeUnknown, reasons, StoreFault, StoreUnavailable } from '../../../src/server/store/errors.js';
import { statementError } from '../../../src/server/store/postgres/errors.js';
import { unitError } from '../../../src/server/store/sqlite/errors.js';
import { canMount, ownDisk } from '../../support/disks.js';
import { testService } from '../../support/service.js';

const ofNodeSqlite = (errcode: number) => unitError('/data/a.db', Object.assign(new Error('words'), { code: 'ERR_SQLITE_ERROR', errcode }));
const ofLibsql = (rawCode: number) => unitError('/data/a.db', Object.assign(new Error('words'), { code: 'SQLITE_X', rawCode }));
const ofPostgres = (code: string) => statementError(Object.assign(new Error('words'), { severity: 'ERROR', code }));

describe('the same trouble has the same reason on every database', () => {
  test.each([
    ['a full disk', 13, '53100', reasons.full],
    ['a disk that fails', 10 | 3 << 8, '58030', reasons.disk],
    ['a database that only reads', 8, '25006', reasons.readOnly],
    ['too little memory', 7, '53200', reasons.busy],
  ])('%s', (_what, sqlite, postgres, reason) => {
    for (const error of [ofNodeSqlite(sqlite), ofLibsql(sqlite), ofPostgres(postgres)]) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error).toMatchObject({ reason, why: 'refused' });
    }
  });

  test('damaged data', () => {
    for (const error of [ofNodeSqlite(11), ofLibsql(11 | 2 << 8), ofPostgres('XX001')]) {
      expect(error).toBeInstanceOf(StoreFault);
      expect(error).toMatchObject({ reason: reasons.damaged, status: 500 });
    }
  });
});

test('a sync that fails while a change is committed leaves open whether the change is stored', () => {
  expect(ofNodeSqlite(10 | 4 << 8)).toBeInstanceOf(OutcomeUnknown);
});

test('errors of node:sqlite are known where its class Error is another one, as in Jest', () => {
  const locked: unknown = runInNewContext("Object.assign(new Error('database is locked'), { errcode: 5 })");
  const error = unitError('a.db', locked);
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(error).toMatchObject({ message: expect.stringContaining('a.db: database is locked') as string });
});

test('an error that is not from the database is not changed', () => {
  const error = new Error('database is locked');
  expect(unitError('/data/a.db', error)).toBe(error);
  expect(ofNodeSqlite(19 | 8 << 8)).toMatchObject({ errcode: 2067 });
});

/** As the system lets the tests have them. */
const disks = canMount() ? [{ room: '4m' }] : [];

test.each(disks)('a server whose disk is full responds with 503, serves reads, and accepts changes once there is space', async ({ room }) => {
  const disk = ownDisk(room);
  const service = await testService({ data: join(disk, 'a.db') });
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(3_600_000));
  const issue = '/projects/20/issues/1/discussions';
  const post = () => service.post(issue, { json: { body: 'x'.repeat(100_000) } });
  let answer = await post();
  while (answer.status === 201) answer = await post();
  const { text } = await service.get(issue);
  expect(answer).toMatchObject({
    status: 503, headers: { 'retry-after': '1' },
    body: { message: '503 Service Unavailable - the disk of the database is full; nothing was stored' },
  });
  expect(await post()).toMatchObject({ status: 503 });
  expect((await service.get(issue)).text).toBe(text);
  rmSync(join(disk, 'ballast'));
  expect((await post()).status).toBe(201);
  await service.close();
});
