import { documentedVersion, newestVersion } from '../conventions.js';
import type { Dialect } from '../endpoint.js';
import { hasSince } from '../versions.js';
import type { Fact } from './fact.js';

/** The service that a server imitates. */
export interface Edition {
  readonly dialect: Dialect;
  /** Such as `16.7`. */
  readonly version: string;
}

/** By dialect and two numbers, and by what was asked for: every request asks. */
const editions = new Map<string, Edition>();
const asked = new Map<string, Edition>();

/**
 * The same object for the same service, so that it can be a key. The documentation does not change with newer versions:
 * its dialect stays at its own (behavior: requests.versions).
 * @param given null for the usual version of the dialect
 */
export const editionOf = (dialect: Dialect, given: string | null): Edition => {
  const question = given === null ? dialect : `${dialect} ${given}`;
  const answered = asked.get(question);
  if (answered) return answered;
  const edition = findEdition(dialect, given);
  asked.set(question, edition);
  return edition;
};

const findEdition = (dialect: Dialect, given: string | null): Edition => {
  const wanted = reportedVersion(dialect, given);
  const version = twoNumbers(dialect === 'document' && hasSince(wanted, twoNumbers(documentedVersion))
    ? documentedVersion : wanted);
  const key = `${dialect} ${version}`;
  const known = editions.get(key);
  if (known) return known;
  const edition = { dialect, version };
  editions.set(key, edition);
  return edition;
};

/** The version that the service reports. @param given null if none was set */
export const reportedVersion = (dialect: Dialect, given: string | null): string =>
  given ?? (dialect === 'live' ? newestVersion : documentedVersion);

const twoNumbers = (version: string): string => version.split(/[.-]/).slice(0, 2).join('.');

const known = new WeakMap<Edition, Map<Fact, boolean>>();

/** Whether the service does it. */
export const holds = (fact: Fact, edition: Edition): boolean => {
  const facts = known.get(edition) ?? new Map<Fact, boolean>();
  known.set(edition, facts);
  const found = facts.get(fact) ?? isTrue(fact, edition);
  facts.set(fact, found);
  return found;
};

const isTrue = ({ dialects, from, to }: Fact, { dialect, version }: Edition): boolean =>
  dialects.includes(dialect) && (from === null || hasSince(version, from)) && !(to !== null && hasSince(version, to));
