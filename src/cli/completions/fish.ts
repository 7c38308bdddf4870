import { placesOf, takingNext, type Flag, type Node, type Tree } from './tree.js';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const switches = ({ names }: Flag): string => names.map((name) =>
  name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`).join(' ');

const valueOf = ({ choices, isFile, takesValue, isAsked }: Flag): string => {
  if (isAsked) return `${takesValue ? ' -x' : ''} -a '(__colloquy_ask)'`;
  if (choices.length > 0) return ` -x -a ${quoted(choices.join(' '))}`;
  return isFile ? ' -r -F' : takesValue ? ' -x' : '';
};

const linesOf = (node: Node): string[] => {
  const here = `complete -c colloquy -n ${quoted(`__colloquy_at '${node.words.join(' ')}'`)}`;
  return [
    ...node.next.map(({ word, text }) => `${here} -f -a ${word}${text && ` -d ${quoted(text)}`}`),
    ...node.isAsked ? [`${here} -f -a '(__colloquy_ask)'`] : [],
    ...node.flags.map((flag) => `${here} ${described(flag)}`),
  ];
};

const described = (flag: Flag): string => `${switches(flag)}${valueOf(flag)} -d ${quoted(flag.text)}`;

/** The completion script for fish. */
export const fish = (tree: Tree): string => {
  const { globals, nodes } = tree;
  return `# fish completion for colloquy; made by \`colloquy completion fish\`
function __colloquy_at
    set -l place
    set -l previous
    for word in (commandline -opc)[2..-1]
        set -l before $previous
        set previous $word
        if contains -- "$before" ${takingNext(tree).join(' ')}
            continue
        end
        set -l longer (string join ' ' -- $place $word)
        if contains -- $longer ${placesOf(nodes).map(quoted).join(' ')}
            set place $longer
        end
    end
    test "$place" = "$argv[1]"
end
function __colloquy_ask
    set -l line (commandline -opc)
    set -l last (string replace -ra '["\\'\\\\\\\\]' '' -- (commandline -ct))
    command $line[1] __complete -- $line[2..-1] "$last" 2>/dev/null
end
${globals.map((flag) => `complete -c colloquy ${described(flag)}`).join('\n')}
${nodes.flatMap(linesOf).join('\n')}
`;
};
