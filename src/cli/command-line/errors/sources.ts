import type { Sources } from '../../app.js';

/** By its flag or variable, or as a setting of its profile. */
export const settingName = (setting: string, from: string): string =>
  from.startsWith('profile ') ? `the ${setting} of ${from}` : from;

/** Hints name settings by their flags and say "the token". */
export const withSources = (hint: string, sources: Sources): string => {
  const { token } = sources;
  const named = hint.replace(/(?<=\bcheck.{0,100}?)--(url|project|group)\b/g, (flag, setting: string) => {
    const from = sources[setting as 'url' | 'project' | 'group'];
    return from === undefined ? flag : settingName(setting, from);
  });
  return token === undefined ? named : named.replace(/\bthe token(?! (of an|from) )/g, `the token from ${token}`);
};

/** @param source of the old path; undefined if it is typed as a part of something else */
export const movedProject = (
  { from, to }: { readonly from: string; readonly to: string }, source: string | undefined,
): [message: string, hint: string] => [
  `the project ${from} moved to ${to}, and the service accepts no changes by the old path`,
  `use ${to} instead of ${from}${source === undefined ? '' : ` in ${settingName('project', source)}`}`,
];
