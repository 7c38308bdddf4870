import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFile } from '../build/packages.mjs';

/** Texts that packages lack: of code that they contain, or of the package itself. */
const added = join(import.meta.dirname, 'licenses');

const introduction = `THIRD-PARTY NOTICES

This package contains code of the packages below, under the licenses that follow their names.
`;

const textsOf = (folder, name) => {
  const addition = join(added, `${name}.txt`);
  const own = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort();
  const files = [...own.map((file) => join(folder, file)), ...existsSync(addition) ? [addition] : []];
  if (files.length === 0) throw new Error(`${folder} has no license text\nadd it as ${addition}`);
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
};

/** Where a license begins that many packages share, after the lines of its copyright. */
const permission = /^(?:permission (?:is hereby granted|to use)|redistribution and use)/im;

/** In characters. */
const longestCopyright = 2_000;

const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = textsOf(folder, name);
  const at = text.search(permission);
  // Below another license, it is a part of the terms.
  const start = at < longestCopyright ? Math.max(0, at) : 0;
  return {
    title: `${name} ${version} (${license})`, copyright: text.slice(0, start).trim(), terms: text.slice(start),
    words: text.slice(start).replace(/\s+/g, ' '),
  };
};

const rule = (character) => character.repeat(80);

/** Packages with the same terms share one text of them, below the copyright of each. */
const sectionOf = (notices) => {
  const copyrights = notices.filter(({ copyright }) => copyright !== '')
    .map(({ title, copyright }) => notices.length === 1 ? copyright : `${title}\n\n${copyright}`);
  const titles = notices.map(({ title }) => title).join('\n');
  return `${rule('=')}\n${titles}\n${rule('-')}\n\n${[...copyrights, notices[0].terms].join('\n\n')}\n`;
};

/** The notices of the packages whose code the built program and library contain. */
export const thirdPartyNotices = () => {
  const notices = JSON.parse(readFileSync(packagesFile, 'utf8')).map(noticeOf);
  const terms = [...new Set(notices.map(({ words }) => words))];
  return [introduction, ...terms.map((words) => sectionOf(notices.filter((one) => one.words === words)))].join('\n');
};
