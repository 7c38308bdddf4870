/** U+2060, which is invisible and has no width. */
const wordJoiner = '\u2060';

/**
 * Makes a text from outside harmless in a note: it runs no quick action, mentions nobody and links no issue, merge
 * request, epic or snippet. An invisible word joiner separates the character that has the effect from what follows it;
 * the service resolves references after Markdown has decoded entities and backslashes, so these would not help.
 */
export const neutralText = (text: string): string => text
  .replace(quickAction, `$1$2${wordJoiner}/`)
  .replace(mention, `@${wordJoiner}`)
  .replace(reference, (sign) => `${sign}${wordJoiner}`)
  .replace(pageUrl, `$1/${wordJoiner}`)
  .replace(wordReference, `$1${wordJoiner}`);

/** A command at the start of a line; the service ignores white space before it, and a carriage return ends a line. */
const quickAction = /(^|[\r\n\u2028\u2029])([^\S\r\n]*)\/(?=[A-Za-z_])/g;
const mention = /@(?=["\p{L}\p{N}_.-])/gu;
/** Issues, merge requests, epics and snippets. */
const reference = /[#!&$](?=\d)/g;
/** The service also links and cross-references the web addresses of its own pages. */
const pageUrl = /(\/(?:issues|merge_requests|epics|snippets|work_items|incidents|milestones|commit))\/(?=[\w])/g;
/** `GL-12` and `[work_item:acme/app/12]`, other forms of a reference to an issue. */
const wordReference = /(\bGL(?=-\d)|\[(?:issue|work_item|epic):)/g;
