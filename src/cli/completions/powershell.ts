import { namesOf, type Flag, type Node, type Tree } from './tree.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const list = (texts: readonly string[]): string => `@(${texts.map(quoted).join(', ')})`;

const entry = ({ words, next, flags, isAsked }: Node): string => {
  const [following, names] = [list(next.map(({ word }) => word)), list(namesOf(flags))];
  const asked = isAsked ? '$true' : '$false';
  return `    ${quoted(words.join(' '))} = @{ words = ${following}; flags = ${names}; asked = ${asked} }`;
};

const choices = (flags: readonly Flag[]): string => {
  const known = new Map(flags.filter((flag) => flag.choices.length > 0)
    .flatMap((flag) => flag.names.map((name) => [name, flag.choices] as const)));
  return [...known].map(([name, values]) => `    ${quoted(name)} = ${list(values)}`).join('\n');
};

/** The completion script for PowerShell. */
export const powershell = ({ globals, nodes }: Tree): string => {
  const all = [...globals, ...nodes.flatMap(({ flags }) => flags)];
  const asking = [...new Map(all.filter(({ isAsked }) => isAsked).map((flag) => [flag.names.join(), flag])).values()];
  return `# PowerShell completion for colloquy; made by \`colloquy completion powershell\`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
${nodes.map(entry).join('\n')}
  }
  $choices = @{
${choices(all)}
  }
  $asking = ${list(namesOf(asking))}
  $globals = ${list(namesOf(globals))}
  $place = ''
  $previous = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete) { break }
    $previous = $element.ToString()
    $longer = ("$place $previous").Trim()
    if ($tree.ContainsKey($longer)) { $place = $longer }
  }
  $isEqual = $wordToComplete -match '^(--[a-z-]+)=' -and $asking -contains $Matches[1]
  $isStatic = $choices.ContainsKey($previous) -or ($wordToComplete.StartsWith('-') -and -not $isEqual)
  $isValue = $asking -contains $previous -and $previous -ne '--json'
  if ($isEqual -or $isValue -or ($tree[$place].asked -and -not $isStatic)) {
    $head = if ($isEqual) { $wordToComplete.Substring(0, $wordToComplete.IndexOf('=') + 1) } else { '' }
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
      Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $program = $commandAst.GetCommandName()
    & $program __complete "--last=$wordToComplete" '--' @words 2>$null | ForEach-Object {
      $value, $text = $_ -split "\`t", 2
      if (-not $text) { $text = $value }
      [System.Management.Automation.CompletionResult]::new("$head$value", $value, 'ParameterValue', $text)
    }
    return
  }
  $found = if ($choices.ContainsKey($previous)) { $choices[$previous] }
    elseif ($wordToComplete.StartsWith('-')) { $tree[$place].flags + $globals }
    else { $tree[$place].words }
  $fitting = $found | Where-Object { $_ -and $_.StartsWith($wordToComplete, [System.StringComparison]::Ordinal) }
  $fitting | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
};
