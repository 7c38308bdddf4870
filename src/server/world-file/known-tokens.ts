/** By username. */
export type TokensByUser = Readonly<Record<string, string>>;

/** One token of each user whose token is known: the store has digests alone. */
export interface KnownTokens {
  current(): TokensByUser;
  replace(tokens: TokensByUser): void;
}

export const createKnownTokens = (): KnownTokens => {
  let known: TokensByUser = {};
  return { current: () => known, replace: (tokens) => { known = tokens; } };
};
