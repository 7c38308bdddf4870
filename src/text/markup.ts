const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
};

/** Between the tags of HTML or XML; not the value of an attribute. */
export const markupText = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);

/** Between tags, or the value of a quoted attribute. */
export const markupValue = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
