import type { Discussion } from '../../src/contract/shapes/note.js';
import type { TestService } from './service.js';

/** Writes below the lines of the page that end so. */
export const writes = (...comments: readonly (readonly [end: string, text: string])[]) => (page: string): string =>
  comments.reduce((text, [end, written]) => text.replace(`${end}\n`, () => `${end}\n${written}\n`), page);

export const onLine = ['> +zwei', 'Why German?'] as const;
export const onThread = ['>   please explain'.replace('>', '> #'), 'It counts.\n[resolve]'] as const;
export const onRequest = ['> Review of mr/1', 'Good so far.'] as const;

export const review = ['discussions', 'review', '!1'];
export const threadsOf = async (service: TestService) =>
  (await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100', { as: 'developer' })).body;
