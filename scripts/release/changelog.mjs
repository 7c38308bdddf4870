const heading = '## Unreleased';

/** The end of a section is the next one, or that of the file. */
const endOf = (text, from) => {
  const next = text.indexOf('\n## ', from);
  return next < 0 ? text.length : next + 1;
};

/**
 * What is new since the last release.
 * @throws Error if the changelog says nothing about it
 */
export const unreleased = (text) => {
  const start = text.indexOf(`${heading}\n`);
  const notes = start < 0 ? '' : text.slice(start + heading.length, endOf(text, start + heading.length)).trim();
  if (notes === '') throw new Error(`CHANGELOG.md has nothing under "${heading}"; write what is new for users there`);
  return notes;
};

/** The changelog of a release. @param date as YYYY-MM-DD */
export const released = (text, version, date) => text.replace(heading, `## ${version} (${date})`);
