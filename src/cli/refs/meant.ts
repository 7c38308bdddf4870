import { nearest } from '../nearest.js';
import { parseRef, refForms } from './ref.js';
import { isUrl } from './url.js';

/** What to write in place of a word that is no reference: the form that was probably meant, else all there are. */
export const hintFor = (word: string): string => {
  if (isUrl(word)) {
    return 'paste the address of a merge request, an issue, a snippet, an epic, a commit, or of a note on one';
  }
  if (/^\d+$/.test(word)) return `say of what kind it is: mr/${word}, issue/${word}, snippet/${word} or epic/${word}`;
  const meant = sha(word) ?? spelled(word);
  return meant !== null && parseRef(meant) ? `did you mean ${meant}?` : `forms: ${refForms}`;
};

const sha = (word: string): string | null => /^[0-9a-f]{7,64}$/i.test(word) ? `commit/${word}` : null;

const spelled = (word: string): string | null => {
  const [, kind, id] = /^([a-z_-]+?)s?[/:#!&$@ -]?((?<=\/)[0-9a-f]+|\d+)$/i.exec(word) ?? [];
  if (kind === undefined) return null;
  const name = kind.toLowerCase().replace(/[_-]/g, '');
  const known = others.get(name) ?? nearest(name, ['issue', 'snippet', 'epic', 'commit']);
  return known === null ? null : `${known}/${id}`;
};

/** What other programs, and the addresses of pages, call them. */
const others = new Map(Object.entries({
  mr: 'mr', pr: 'mr', pull: 'mr', pullrequest: 'mr', mergerequest: 'mr',
  workitem: 'issue', ticket: 'issue', sha: 'commit',
}));
