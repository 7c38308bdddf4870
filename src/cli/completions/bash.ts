import type { Flag, Node } from './tree.js';

const words = (list: readonly string[]): string => `'${list.join(' ')}'`;

const namesOf = (flags: readonly Flag[]): string[] => flags.flatMap(({ names }) => names);

const caseOf = (node: Node): string => `    '${node.words.join(' ')}')
      words=${words(node.next.map(({ word }) => word))}
      flags=${words(namesOf(node.flags))}
      ;;
`;

const isNotEmpty = (list: readonly string[]): boolean => list.length > 0;

/** What completes the value of a flag; the same flag means the same everywhere. */
const valueCases = (nodes: readonly Node[]): string => {
  const flags = new Map(nodes.flatMap((node) => node.flags).filter(({ takesValue }) => takesValue).map((flag) => [flag.names.join('|'), flag]));
  const files = namesOf([...flags.values()].filter(({ isFile }) => isFile));
  const chosen = [...flags.values()].filter(({ choices }) => isNotEmpty(choices));
  const others = namesOf([...flags.values()].filter(({ isFile, choices }) => !isFile && !isNotEmpty(choices)));
  return [
    ...chosen.map(({ names, choices }) => `    ${names.join('|')}) COMPREPLY=($(compgen -W ${words(choices)} -- "$cur")); return ;;\n`),
    `    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;\n`,
    `    ${others.join('|')}) return ;;\n`,
  ].join('');
};

/** The completion script for bash. It starts no process. */
export const bash = (nodes: readonly Node[]): string => `# bash completion for colloquy; made by \`colloquy completion bash\`
_colloquy() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place= words= flags= word i
  COMPREPLY=()
  case $prev in
${valueCases(nodes)}  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$place\${place:+ }$word" in
      ${nodes.filter((node) => node.words.length > 0).map((node) => `'${node.words.join(' ')}'`).join('|')}) place="$place\${place:+ }$word" ;;
    esac
  done
  case $place in
${nodes.map(caseOf).join('')}  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
`;
