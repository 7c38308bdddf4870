import { usage } from '../command-line/failure.js';
import type { Command } from './call.js';
import { withComment } from './review-page.js';
import type { Given } from './tools.js';

type Field = 'thread' | 'body' | 'key' | 'file';

/** @throws Problem if the tool needs a field that is missing */
export const writeCommand = (given: Given<'write'>): Command => {
  const { action, ref, file, line, key } = given;
  const need = (name: Field): string => {
    const value = given[name];
    if (value !== undefined && value !== '') return value;
    throw usage(`${action} requires ${name}`, `pass ${name}`);
  };
  const once = key === undefined ? [] : [`--key=${key}`];
  const asId = '--output=id';
  switch (action) {
    case 'reply': return {
      options: ['discussions', 'reply', '--body-file=-', asId, ...once], positionals: [ref, need('thread')],
      text: need('body'),
    };
    case 'resolve': case 'unresolve': return {
      options: ['discussions', action, asId], positionals: [ref, need('thread')],
    };
    case 'comment': return {
      options: ['discussions', 'create', '--body-file=-', asId, ...once, ...placeOptions(given)], positionals: [ref],
      text: need('body'),
    };
    case 'upsert': return {
      options: ['notes', 'upsert', '--body-file=-', asId, `--key=${need('key')}`], positionals: [ref],
      text: need('body'),
    };
    case 'review': {
      const body = need('body');
      const edit = (page: string) => withComment(page, { thread: given.thread, file, line }, body);
      return { options: ['discussions', 'review', '--drafts', '--yes', asId], positionals: [ref], edit };
    }
  }
};

const placeOptions = ({ file, line }: Given<'write'>): string[] => {
  if (line !== undefined && file === undefined) throw usage('line requires file', 'pass the path of the file');
  return [...file === undefined ? [] : [`--file=${file}`], ...line === undefined ? [] : [`--line=${line}`]];
};
