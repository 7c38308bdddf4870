/** Why a file cannot be read, by the code of the system's error. */
export const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file', ENOTDIR: 'no such file', EISDIR: 'it is a folder', EACCES: 'permission denied',
};
