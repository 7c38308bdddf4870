import { describe, expect, it } from 'vitest';
import { type UpsertResult, upsertMessage, upsertView } from '../../../../src/cli/notes/upsert/comment.js';
import { recordRow } from '../../../../src/cli/terminal/output/table.js';
import { pipe } from '../../../support/displays.js';
import { note } from '../../../support/notes.js';
import { openTarget } from '../../../support/targets.js';

const { target } = await openTarget('!1');
const one = note({ id: 5 });

describe('the message about an upsert', () => {
  it.each<[UpsertResult['action'], string]>([
    ['created', 'added note 5 to mr/1'], ['updated', 'updated note 5 of mr/1'], ['unchanged', 'note 5 of mr/1 is unchanged'],
    ['stale', 'note 5 of mr/1 was not changed: a newer run has written it'], ['healed', 'kept note 5 of mr/1 and deleted its copies'],
  ])('%s names the note', (action, message) => {
    expect(upsertMessage({ result: { action, note: one }, whyStale: 'a newer run has written it' }, target, 'lint')).toBe(message);
  });

  it('names the key where there is no note any more, or never was one', () => {
    const message = (action: UpsertResult['action']) => upsertMessage({ result: { action, note: null }, whyStale: 'the head is another' }, target, 'lint');
    expect(message('deleted')).toBe('deleted the comment with key lint from mr/1');
    expect(message('unchanged')).toBe('nothing to delete: mr/1 has no comment with key lint');
    expect(message('stale')).toBe('nothing changed: the head is another');
  });
});

describe('the row of an upsert', () => {
  it('has the action and then the columns of the note', () => {
    expect(recordRow({ action: 'updated', note: one }, upsertView, pipe).map(({ text }) => text))
      .toEqual(['updated', '5', '', 'ada', '2024-05-01T11:00:00.000Z', '', 'text']);
    expect(upsertView.columns.map(({ name }) => name)).toEqual(['action', 'id', 'state', 'author', 'created', 'place', 'text']);
    expect(upsertView.id({ action: 'updated', note: one })).toBe('5');
  });

  it('has only the action without a note', () => {
    expect(recordRow({ action: 'deleted', note: null }, upsertView, pipe).map(({ text }) => text)).toEqual(['deleted', '', '', '', '', '', '']);
    expect(upsertView.id({ action: 'deleted', note: null })).toBe('');
  });
});
