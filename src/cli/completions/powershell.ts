import { namesOf, type Flag, type Node, type Tree } from './tree.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const list = (texts: readonly string[]): string => `@(${texts.map(quoted).join(', ')})`;

const entry = ({ words, next, flags }: Node): string => {
  const [following, names] = [list(next.map(({ word }) => word)), list(namesOf(flags))];
  return `    ${quoted(words.join(' '))} = @{ words = ${following}; flags = ${names} }`;
};

const choices = (flags: readonly Flag[]): string => {
  const known = new Map(flags.filter((flag) => flag.choices.length > 0)
    .flatMap((flag) => flag.names.map((name) => [name, flag.choices] as const)));
  return [...known].map(([name, values]) => `    ${quoted(name)} = ${list(values)}`).join('\n');
};

/** The completion script for PowerShell. */
export const powershell = ({ globals, nodes }: Tree): string =>
  `# PowerShell completion for colloquy; made by \`colloquy completion powershell\`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
${nodes.map(entry).join('\n')}
  }
  $choices = @{
${choices([...globals, ...nodes.flatMap(({ flags }) => flags)])}
  }
  $globals = ${list(namesOf(globals))}
  $place = ''
  $previous = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete) { break }
    $previous = $element.ToString()
    $longer = ("$place $previous").Trim()
    if ($tree.ContainsKey($longer)) { $place = $longer }
  }
  $found = if ($choices.ContainsKey($previous)) { $choices[$previous] }
    elseif ($wordToComplete.StartsWith('-')) { $tree[$place].flags + $globals }
    else { $tree[$place].words }
  $fitting = $found | Where-Object { $_ -and $_.StartsWith($wordToComplete, [System.StringComparison]::Ordinal) }
  $fitting | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
