const draftPrefix = /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i;

/** behavior: lookups.draft-title */
export const isDraftTitle = (title: string): boolean => draftPrefix.test(title);

export const draftlessTitle = (title: string): string => title.replace(draftPrefix, '');

/** behavior: lookups.merge-status */
export const mergeStatus = (state: string, isDraft: boolean, hasUnresolved: boolean): string => {
  if (state !== 'opened') return 'not_open';
  if (isDraft) return 'draft_status';
  return hasUnresolved ? 'discussions_not_resolved' : 'mergeable';
};

export const stateIds: Readonly<Record<string, number>> = { opened: 1, closed: 2, merged: 3, locked: 4 };
