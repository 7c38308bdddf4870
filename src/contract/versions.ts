/** `12.7`, `13.12.0-ee`. */
export const versionPattern = /^\d{1,4}\.\d{1,4}(\.\d{1,4})?(-[a-z0-9][a-z0-9.-]{0,30})?$/;

/** As the service reports it: `12.7` → `12.7.0-ee`; undefined for an invalid one. */
export const completeVersion = (text: string): string | undefined => {
  if (!versionPattern.test(text)) return undefined;
  const [numbers = '', ...edition] = text.split('-');
  const three = numbers.split('.').length === 3 ? numbers : `${numbers}.0`;
  return [three, ...(edition.length === 0 ? ['ee'] : edition)].join('-');
};

/** Every version has what has no `since`. */
export const hasSince = (version: string, since: string | undefined): boolean => {
  if (since === undefined) return true;
  const [major, minor] = numbersOf(version);
  const [sinceMajor, sinceMinor] = numbersOf(since);
  return major === sinceMajor ? minor >= sinceMinor : major > sinceMajor;
};

const numbersOf = (version: string): [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  return [major, minor];
};

/** From the lowest. */
export const tiers = ['free', 'premium', 'ultimate'] as const;
/** A tier of the service; epics require `premium`. */
export type Tier = (typeof tiers)[number];
