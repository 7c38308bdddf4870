import { withMarker } from '../../src/wire/note-text.js';
import { historyOf } from './appearance.js';
import type { WorldOptions } from './app.js';
import { images } from './images.js';
import { threads } from './worlds.js';

const mr = 'http://service.test/api/v4/projects/acme%2Fapp/merge_requests/1/discussions';
const epic = 'http://service.test/api/v4/groups/acme/epics/1/epics';

/** Every command that writes to the service, with the request that it sends. */
export type Write = readonly [call: readonly string[], request: string, body: unknown, world?: WorldOptions];

export const writes: readonly Write[] = [
  [['discussions', 'create', '!1', '-m', 'text'], `POST ${mr}`, { body: 'text' }],
  [['discussions', 'reply', '!1', '3333', '-m', 'text'], `POST ${mr}/${threads.thread}/notes`, { body: 'text' }],
  [['discussions', 'resolve', '!1', '3333'], `PUT ${mr}/${threads.thread}`, { resolved: true }],
  [['discussions', 'unresolve', '!1', '4444'], `PUT ${mr}/${threads.resolved}`, { resolved: false }],
  [['notes', 'add', '!1', '-m', 'text', '--created-at', '2024-01-01'], `POST ${mr.replace('discussions', 'notes')}`,
    { body: 'text', created_at: '2024-01-01' }],
  [['notes', 'edit', '!1', '121', '-m', 'text'], `PUT ${mr}/${threads.thread}/notes/121`, { body: 'text' }],
  [['notes', 'upsert', '!1', '--key', 'lint', '-m', 'text'], `POST ${mr.replace('discussions', 'notes')}`,
    { body: withMarker('text', { key: 'lint' }) }],
  [['notes', 'delete', '!1', '121'], `DELETE ${mr}/${threads.thread}/notes/121`, null],
  [['notes', 'resolve', '!1', '121'], `PUT ${mr}/${threads.thread}/notes/121`, { resolved: true }],
  [['notes', 'unresolve', '!1', '122'], `PUT ${mr}/${threads.resolved}/notes/122`, { resolved: false }],
  [['appearance', 'set', '--title', 'Acme'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Acme' }],
  [['appearance', 'set', '--logo', 'logo.png', '--title', 'Acme'], 'PUT http://service.test/api/v4/application/appearance',
    { logo: { filename: 'logo.png', content_type: 'image/png', bytes: images.png.length }, title: 'Acme' }, { files: { 'logo.png': images.png } }],
  [['appearance', 'apply', 'a.yaml'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Acme' },
    { files: { 'a.yaml': 'title: Acme' }, env: { COLLOQUY_TOKEN: 'root-token' } }],
  [['appearance', 'banner', 'Hi', '--token', 'root-token'], 'PUT http://service.test/api/v4/application/appearance', { header_message: 'Hi' }],
  [['appearance', 'undo', '--token', 'root-token'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Old' },
    { get state() { return historyOf({ title: ['Old', ''] }); } }],
  [['epics', 'create', '&1', '--title', 'New'], `POST ${epic}`, { title: 'New' }],
  [['epics', 'assign', '&1', '&2'], `POST ${epic}/501`, null, { env: { COLLOQUY_TOKEN: 'owner-token' } }],
  [['epics', 'reorder', '&1', 'id:506', '--before', '&5'], `PUT ${epic}/506`, { move_after_id: 505 }],
  [['epics', 'unassign', '&1', 'id:505'], `DELETE ${epic}/505`, null],
];
