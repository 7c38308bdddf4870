import { namesOf, placesOf, takingNext, type Flag, type Node, type Tree } from './tree.js';

const words = (list: readonly string[]): string => `'${list.join(' ')}'`;

const caseOf = (node: Node): string => `    '${node.words.join(' ')}')
      words=${words(node.next.map(({ word }) => word))}
      flags=${words(namesOf(node.flags))}${node.isAsked ? '\n      asked=1' : ''}
      ;;
`;

/** What completes the value of a flag; the same flag means the same everywhere. */
const valueCases = (all: readonly Flag[]): string => {
  const taking = all.filter(({ takesValue }) => takesValue);
  const flags = [...new Map(taking.map((flag) => [flag.names.join('|'), flag])).values()];
  const files = flags.filter(({ isFile }) => isFile);
  const chosen = flags.filter(({ choices }) => choices.length > 0);
  const asked = flags.filter(({ isAsked }) => isAsked);
  const others = flags.filter((flag) => ![files, chosen, asked].some((some) => some.includes(flag)));
  const reply = (names: readonly string[], options: string) =>
    `    ${names.join('|')}) COMPREPLY=($(compgen ${options} -- "$cur")); return ;;\n`;
  return [
    ...chosen.map(({ names, choices }) => reply(names, `-W ${words(choices)}`)),
    `    ${namesOf(files).join('|')}) _colloquy_files; return ;;\n`,
    `    ${namesOf(asked).join('|')}) _colloquy_ask; return ;;\n`,
    `    ${namesOf(others).join('|')}) return ;;\n`,
  ].join('');
};

/** Flags whose value stands behind `=` alone. */
const afterEquals = (all: readonly Flag[]): string =>
  [...new Set(namesOf(all.filter(({ isAsked, isOptional }) => isAsked && isOptional)))].map((name) =>
    `${name}=*`).join('|');

/** The completion script for bash. It starts a process for words alone that the program knows and the script can't. */
export const bash = (tree: Tree): string => {
  const { globals, nodes } = tree;
  const all = [...globals, ...nodes.flatMap(({ flags }) => flags)];
  return `# bash completion for colloquy; made by \`colloquy completion bash\`

# Values that the program knows, quoted where need be; with what they are, as long as there is a choice.
_colloquy_ask() {
  local value text known=() shown=() before=
  while IFS=$'\\t' read -r value text; do
    case $cur in
      [\\"\\']*) if [[ $value == *[\\"\\'\\\\\\\`\\$!]* ]]; then continue; fi ;;
      *) if [[ $value == *[!A-Za-z0-9_.,:=/@+%-]* ]]; then printf -v value %q "$value"; fi ;;
    esac
    known+=("$value")
    shown+=("$value\${text:+  ($text)}")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${line[@]//[\\"\\'\\\\]/}" 2>/dev/null)
  case $cur in *[=:]*) before=\${cur%"\${cur##*[=:]}"} ;; esac
  if ((\${#known[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then known=("\${shown[@]}"); fi
  COMPREPLY=("\${known[@]#"$before"}")
}

# Files as bash itself completes them; its version 3 can't be asked to.
_colloquy_files() {
  local IFS=$'\\n'
  compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$cur"))
}

_colloquy() {
  local cur prev place= words= flags= asked= word i last line=()
  COMPREPLY=()
  # bash parts words at = and : as well
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]} last=$((\${#line[@]} - 1))
    if ((last >= 0)) && [[ $word == [=:]* || \${line[last]} == *[=:] ]]; then line[last]+=$word
    else line+=("$word"); fi
  done
  last=$((\${#line[@]} - 1)) cur=\${line[last]} prev=
  if ((last > 0)); then prev=\${line[last-1]}; fi
  case $cur in
    ${afterEquals(all)}) cur=\${cur#*=}; _colloquy_ask; return ;;
    --*=*) prev=\${cur%%=*} cur=\${cur#*=} ;;
  esac
  case $prev in
${valueCases(all)}  esac
  for ((i = 0; i < last; i++)); do
    word=\${line[i]}
    if ((i > 0)); then case \${line[i-1]} in ${takingNext(tree).join('|')}) continue ;; esac; fi
    case "$place\${place:+ }$word" in
      ${placesOf(nodes).map((place) => `'${place}'`).join('|')}) place="$place\${place:+ }$word" ;;
    esac
  done
  case $place in
${nodes.map(caseOf).join('')}  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags ${namesOf(globals).join(' ')}" -- "$cur")) ;;
    *) if [[ $asked ]]; then _colloquy_ask; else COMPREPLY=($(compgen -W "$words" -- "$cur")); fi ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
`;
};
