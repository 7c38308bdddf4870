import type { Discussion } from '../../contract/shapes/discussion.js';
import type { Note } from '../../contract/shapes/note.js';
import { ago } from '../output/age.js';
import type { Place } from '../output/view.js';
import { plainLine, plainText } from '../plain.js';
import { placeOf } from './place.js';

/** A thread as a conversation: who said what and when, replies indented below the first note. */
export const conversation = ({ id, notes }: Discussion, { now }: Place): string => {
  const place = placeOf(notes[0]?.position);
  const heading = `thread ${plainLine(id)}${place && ` on ${plainLine(place)}`}\n`;
  return heading + notes.map((note, i) => `\n${indented(i === 0 ? '' : '  ', said(note, now))}\n`).join('');
};

const said = (note: Note, now: Date): string => {
  const { author, created_at, updated_at, body } = note;
  const edited = Date.parse(updated_at) > Date.parse(created_at) && !note.resolved ? ', edited' : '';
  const age = `${ago(created_at, now)}${edited}`;
  const head = `${author.name} (@${author.username}) ${age}${resolution(note)}  #note_${note.id}`;
  return `${plainLine(head)}\n${plainText(body).replace(/\n+$/, '')}`;
};

const resolution = ({ system, resolvable, resolved, resolved_by }: Note): string => {
  if (system) return ' [system]';
  if (!resolvable || resolved === undefined) return '';
  if (!resolved) return ' [open]';
  return resolved_by ? ` [resolved by @${resolved_by.username}]` : ' [resolved]';
};

const indented = (indent: string, text: string): string =>
  text.split('\n').map((line, i) => line === '' ? '' : indent + (i === 0 ? '' : '  ') + line).join('\n');
