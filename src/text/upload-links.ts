const uploadLink = /(?<=\]\(\s{0,9}<?|\]:\s{0,9}<?|(?:src|href)\s{0,9}=\s{0,9}["']?)(?=\/uploads\/(?!-\/))/gi;

/** Whether a text has links to uploads of its project or group, which work on its pages only. */
export const linksToUploads = (text: string): boolean => {
  uploadLink.lastIndex = 0;
  return text.includes('/uploads/') && uploadLink.test(text);
};

/** Puts the page of the project or group before links to its uploads. */
export const withUploadsBelow = (page: string, text: string): string => text.replace(uploadLink, () => page);
