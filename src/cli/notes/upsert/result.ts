import * as Type from '@sinclair/typebox';
import { Note } from '../../../contract/shapes/note.js';
import type { Target } from '../../service/targets/target.js';
import type { View } from '../../terminal/output/view.js';
import { noteView } from '../views/note.js';
import type { UpsertResult } from './comment.js';

export const upsertView: View<UpsertResult> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: () => 'strong' },
    ...noteView.columns.map(({ name, cell }) => ({
      name: name === 'note' ? 'id' : name,
      cell: ({ note }: UpsertResult, display: Parameters<typeof cell>[1]) => note === null ? '' : cell(note, display),
    })),
  ],
  id: ({ note }) => note === null ? '' : noteView.id(note),
  shape: Type.Object({ action: Type.String(), note: Type.Union([Note, Type.Null()]) }),
  emptyText: 'no comment',
};

/** `updated note 5 of mr/1`. */
export const upsertMessage = ({ action, note }: UpsertResult, { name }: Target, key: string): string => {
  if (note === null) {
    const comment = `comment with key ${key}`;
    return action === 'deleted' ? `deleted the ${comment} from ${name}` : `${name} has no ${comment}`;
  }
  const one = `note ${note.id} of ${name}`;
  return {
    created: `added note ${note.id} to ${name}`, updated: `updated ${one}`, unchanged: `${one} is unchanged`,
    stale: `${one} is from a newer run and was not changed`, healed: `kept ${one} and deleted its copies`,
    deleted: `deleted ${one}`,
  }[action];
};
