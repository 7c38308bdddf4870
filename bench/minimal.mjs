/**
 * The minimal server that stores the same as ours, as durably: node:http, SQLite with our tables, one insert and one
 * counter for each request, committed once per turn of the event loop. It checks nothing. Argument: the file.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'libsql';
import { loadTypeScript } from '../scripts/load-typescript.mjs';

const { tables } = await loadTypeScript('src/server/store/schema.ts');
const { sqliteTypes } = await loadTypeScript('src/server/store/sqlite/engine.ts');
const database = new Database(process.argv[2]);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables(sqliteTypes).join(';')};
  WITH RECURSIVE issue (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM issue WHERE id < 1000)
  INSERT INTO activity (noteable, version, comments) SELECT id, 1, 0 FROM issue`);
const count = database.prepare('UPDATE activity SET version = version + 1, comments = comments + 1 WHERE noteable = ?');
const insert = database.prepare(`INSERT INTO notes (noteable, discussion_id, type, body, author_id, created_at,
  updated_at, system, fragment, dialect, starts) VALUES (?, ?, 'DiscussionNote', ?, 1, ?, ?, 0, ?, 'document', 1)`);

const author = { id: 1, username: 'root', name: 'Administrator', state: 'active' };

const store = ({ noteable, body }) => {
  const discussion = randomBytes(20).toString('hex');
  const now = new Date().toISOString();
  const note = {
    type: 'DiscussionNote', body, attachment: null, author, created_at: now, updated_at: now, system: false,
    noteable_id: noteable, noteable_type: 'Issue', noteable_iid: noteable, resolvable: false,
  };
  count.run(noteable);
  const { lastInsertRowid } = insert.run(noteable, discussion, body, now, now, JSON.stringify(note));
  return JSON.stringify({ id: discussion, individual_note: false, notes: [{ id: Number(lastInsertRowid), ...note }] });
};

/** The requests of the current turn; their responses are sent after the commit. */
let waiting = [];

const commit = () => {
  const turn = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  const texts = turn.map(store);
  database.exec('COMMIT');
  turn.forEach(({ response }, i) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(texts[i]) };
    response.writeHead(201, headers).end(texts[i]);
  });
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const noteable = Number(/issues\/(\d+)/.exec(request.url)[1]);
    const { body } = JSON.parse(Buffer.concat(chunks));
    if (waiting.push({ noteable, body, response }) === 1) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
