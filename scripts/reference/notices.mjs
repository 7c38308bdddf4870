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

const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { title: `${name} ${version} (${license})`, text: textsOf(folder, name) };
};

/** The notices of the packages whose code the built program and library contain; packages share the same text. */
export const thirdPartyNotices = () => {
  const notices = JSON.parse(readFileSync(packagesFile, 'utf8')).map(noticeOf);
  const sections = [...new Set(notices.map(({ text }) => text))].map((text) => {
    const titles = notices.filter((notice) => notice.text === text).map(({ title }) => title);
    return `${'='.repeat(80)}\n${titles.join('\n')}\n${'-'.repeat(80)}\n\n${text}\n`;
  });
  return [introduction, ...sections].join('\n');
};
