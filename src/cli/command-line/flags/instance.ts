import { InvalidArgumentError, Option } from 'commander';
import { tiers, versionPattern } from '../../../contract/versions.js';

/** The options that describe an instance, of `serve` and `conformance`. */
export const instanceOptions = {
  dialect: (text: string): Option => new Option('--dialect <name>', text).choices(['document', 'live']),
  version: (text: string): Option => new Option('--service-version <version>', text).argParser(versionFrom),
  tier: (text: string): Option => new Option('--tier <name>', text).choices(tiers),
};

const versionFrom = (text: string): string => {
  if (versionPattern.test(text)) return text;
  throw new InvalidArgumentError('use a version such as 12.7 or 13.12.0-ee');
};
