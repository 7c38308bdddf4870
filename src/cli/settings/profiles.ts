/** What a profile can keep beside its token. Names are those of the flags. */
export const profileKeys = [
  'url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key',
] as const;
export type ProfileKey = (typeof profileKeys)[number];

/**
 * One set of settings under a name. Its token is for the origin of its url alone. It stands here, or in the system
 * keyring when `keyring` says so.
 */
export type Profile = { readonly [K in ProfileKey | 'token']?: string } & { readonly keyring?: true };

/** Everything the profile file holds. */
export interface Profiles {
  /** The profile that counts when none is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const noProfiles: Profiles = { current: 'default', profiles: {} };

/** Where profiles are kept. */
export interface ProfileStore {
  readonly path: string;
  /** Whether other users can replace the file, because its folder is theirs too. */
  readonly isShared: () => boolean;
  readonly read: () => Promise<Profiles>;
  /**
   * Stores what `to` makes of the profiles as they are then, so that no change of another process is lost. Resolves to
   * the profiles as they were before.
   */
  readonly change: (to: (profiles: Profiles) => Profiles) => Promise<Profiles>;
}

type Change = { readonly [K in keyof Profile]?: Profile[K] | undefined };

/** Profiles with one of them changed; keys set to undefined are dropped. */
export const withProfile = (all: Profiles, name: string, change: Change): Profiles => {
  const merged = { ...all.profiles[name], ...change };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...all, profiles: { ...all.profiles, [name]: kept } };
};

/** Whether a token is kept for a profile, wherever that is. */
export const hasToken = ({ token, keyring }: Profile): boolean => token !== undefined || keyring === true;
