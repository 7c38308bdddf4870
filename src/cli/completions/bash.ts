import { namesOf, placesOf, type Flag, type Node, type Tree } from './tree.js';

const words = (list: readonly string[]): string => `'${list.join(' ')}'`;

const caseOf = (node: Node): string => `    '${node.words.join(' ')}')
      words=${words(node.next.map(({ word }) => word))}
      flags=${words(namesOf(node.flags))}
      ;;
`;

/** What completes the value of a flag; the same flag means the same everywhere. */
const valueCases = (all: readonly Flag[]): string => {
  const taking = all.filter(({ takesValue }) => takesValue);
  const flags = [...new Map(taking.map((flag) => [flag.names.join('|'), flag])).values()];
  const files = flags.filter(({ isFile }) => isFile);
  const chosen = flags.filter(({ choices }) => choices.length > 0);
  const others = flags.filter((flag) => !files.includes(flag) && !chosen.includes(flag));
  const reply = (names: readonly string[], options: string) =>
    `    ${names.join('|')}) COMPREPLY=($(compgen ${options} -- "$cur")); return ;;\n`;
  return [
    ...chosen.map(({ names, choices }) => reply(names, `-W ${words(choices)}`)),
    reply(namesOf(files), '-f'),
    `    ${namesOf(others).join('|')}) return ;;\n`,
  ].join('');
};

/** The completion script for bash. It starts no process. */
export const bash = ({ globals, nodes }: Tree): string =>
  `# bash completion for colloquy; made by \`colloquy completion bash\`
_colloquy() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place= words= flags= word i
  COMPREPLY=()
  case $prev in
${valueCases([...globals, ...nodes.flatMap(({ flags }) => flags)])}  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$place\${place:+ }$word" in
      ${placesOf(nodes).map((place) => `'${place}'`).join('|')}) place="$place\${place:+ }$word" ;;
    esac
  done
  case $place in
${nodes.map(caseOf).join('')}  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags ${namesOf(globals).join(' ')}" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
`;
