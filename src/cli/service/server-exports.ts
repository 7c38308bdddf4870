import { shellWord } from '../../text/quoting.js';

interface Usable {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
  /** Null where the world is not the demo world. */
  readonly place: { readonly project: string; readonly group: string } | null;
}

/** For a shell that is to use the server as its first user. */
export const exportLines = ({ url, tokens, place }: Usable): string[] => [
  `export COLLOQUY_URL=${shellWord(url)}`,
  ...Object.values(tokens).slice(0, 1).map((token) => `export COLLOQUY_TOKEN=${shellWord(token)}`),
  ...place === null ? [] : [`export COLLOQUY_PROJECT=${place.project} COLLOQUY_GROUP=${place.group}`],
];
