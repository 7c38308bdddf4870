import type { Element } from './xml.js';

/** Empty if neither its message nor its text tells it from other failures of the test. */
export const failureMessage = (test: string, { attributes: { message = '' }, text }: Element): string => {
  const given = message.trim();
  if (tells(given, test)) return given;
  const reasons = [...text.matchAll(reasonOfGo)]
    .map(([reason]) => reason.replace(place, '').replace(/\s+/g, ' ').trim());
  const lines = text.trim().split('\n').map((line) => line.trim());
  return reasons.join('\n') || (lines.find((line) => tells(line, test)) ?? (given || lines[0]!));
};

/** Those of `t.Log` look alike. The lines between them are what the test prints. */
const reasonOfGo = new RegExp([
  '^(?:panic|fatal error): .*',
  '^ *[\\w.-]+\\.go:\\d+:.*(?:\\n {8}(?! *(?:[\\w.-]+\\.go:\\d+:|--- |=== )).*)*',
].join('|'), 'gm');

const place = /^ *[\w.-]+\.go:\d+:|\bError Trace:(?:\s+\S+:\d+)+/g;

const tells = (line: string, test: string): boolean => line !== '' && !sameForAll.test(line)
  && line !== test && !`${line.replace(/^[\w\\]+::/, '::')} `.startsWith(`::${test} `);

const sameForAll = /^(?:Failed$|=== |--- FAIL: |thread '.*' (?:\(\d+\) )?panicked at \S+:\d+:\d+:?$)/;
