import type { Destination } from '../refs/target.js';
import type { Purpose } from './draft-name.js';

/**
 * What a text is written for.
 * @param verb as it is called: `notes add`
 * @param below the thread or note it goes to, in the words of the command line
 */
export const purposeOf = (verb: string, { settings, ref, container, name }: Destination, below?: string): Purpose => ({
  verb, name: below === undefined ? name : `${name} ${below}`,
  target: [ref.base ?? settings.url?.href ?? '', container, name, below ?? ''],
});
