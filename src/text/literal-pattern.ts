/** The source of a regular expression, with or without the flag `u`, for a text and nothing else. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');
