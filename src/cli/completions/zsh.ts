import type { Flag, Node, Tree } from './tree.js';

/** Text within a single-quoted specification: brackets and colons part it. */
const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&').replaceAll("'", "'\\''");

const valueOf = ({ choices, isFile, takesValue, isOptional, isAsked }: Flag): string => {
  if (isAsked) return `${isOptional ? '::' : ':'}value:_colloquy_ask`;
  if (choices.length > 0) return `:value:(${choices.join(' ')})`;
  if (isFile) return ':file:_files';
  return takesValue ? ':value:' : isOptional ? '::value:' : '';
};

/** One specification for each name; a long name may take its value behind `=`. */
const flagOf = (flag: Flag): string[] => flag.names.map((name) => {
  const sign = !name.startsWith('--') ? '' : flag.isOptional ? '=-' : flag.takesValue ? '=' : '';
  return `'*${name}${sign}[${escaped(flag.text)}]${valueOf(flag)}'`;
});

const functionName = (node: Node): string => ['_colloquy', ...node.words].join('_');

const leaf = (node: Node): string => {
  const first = node.next.length > 0 ? `'1:value:(${node.next.map(({ word }) => word).join(' ')})'` : '';
  const rest = node.isAsked ? `'*: :_colloquy_ask'` : `'*:: :_default'`;
  const parts = [...node.flags.flatMap(flagOf), first, rest].filter((part) => part !== '');
  return `${functionName(node)}() {
  _arguments -s "\${_colloquy_globals[@]}" \\
    ${parts.join(' \\\n    ')}
}
`;
};

/** The words as they were typed, to the cursor and without quotes: `_arguments` shortens them on the way down. */
const saved = '\n  typeset -ga _colloquy_line\n  _colloquy_line=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")';

const branch = (node: Node): string => `${functionName(node)}() {${node.words.length === 0 ? saved : ''}
  local context state line
  local -a words_here
  words_here=(
    ${node.next.map(({ word, text }) => `'${word}:${escaped(text)}'`).join('\n    ')}
  )
  _arguments -C -s "\${_colloquy_globals[@]}" '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe 'command' words_here ;;
    rest)
      case $line[1] in
        ${node.next.map(({ word }) => `${word}) ${functionName(node)}_${word} ;;`).join('\n        ')}
      esac
      ;;
  esac
}
`;

/** The completion script for zsh: a file \`_colloquy\` in \`$fpath\`, or text to evaluate. */
export const zsh = ({ globals, nodes }: Tree): string => {
  const functions = nodes.map((node) => node.hasCommands ? branch(node) : leaf(node)).join('\n');
  return `#compdef colloquy
# made by \`colloquy completion zsh\`

typeset -ga _colloquy_globals
_colloquy_globals=(
  ${globals.flatMap(flagOf).join('\n  ')}
)

# Values that the program knows.
_colloquy_ask() {
  local -a known
  local value
  for value in "\${(@f)$("\${_colloquy_line[1]}" __complete -- "\${(@)_colloquy_line[2,-1]}" 2>/dev/null)}"; do
    value=\${value//\\\\/\\\\\\\\}
    value=\${value//:/\\\\:}
    value=\${value/$'\\t'/:}
    if [ -n "$value" ]; then known+=("\${value%:}"); fi
  done
  _describe 'value' known
}

${functions}
if [ "$funcstack[1]" = "_colloquy" ]; then
  _colloquy "$@"
else
  compdef _colloquy colloquy
fi
`;
};
