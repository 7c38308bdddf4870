import { namesOf, takingNext, type Flag, type Node, type Tree } from './tree.js';

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

/**
 * The completion script for PowerShell. Words are taken as the program would get them: without quotes, and with what
 * stands before a comma, where PowerShell sees a new word.
 */
export const powershell = (tree: Tree): string => {
  const { globals, nodes } = tree;
  const all = [...globals, ...nodes.flatMap(({ flags }) => flags)];
  const named = (flags: readonly Flag[]): string => list([...new Set(namesOf(flags))]);
  return `# PowerShell completion for colloquy; made by \`colloquy completion powershell\`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
${nodes.map(entry).join('\n')}
  }
  $choices = @{
${choices(all)}
  }
  $asking = ${named(all.filter(({ isAsked }) => isAsked))}
  $taking = ${list(takingNext(tree))}
  $globals = ${list(namesOf(globals))}
  $place = ''
  $previous = ''
  $words = @()
  $typed = ''
  $standing = 0
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $extent = $element.Extent
    if ($extent.StartOffset -ge $cursorPosition) { break }
    $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
    $word = if ($isText) { $element.Value } else { $extent.Text }
    if ($extent.EndOffset -ge $cursorPosition) {
      $isPart = -not $isText -and $extent.EndOffset -eq $cursorPosition
      $typed = if ($isText -or $isPart) { $word } else { $wordToComplete }
      if ($isPart) { $standing = [Math]::Max(0, $word.Length - $wordToComplete.Length) }
      break
    }
    $longer = ("$place $word").Trim()
    if ($taking -cnotcontains $previous -and $tree.ContainsKey($longer)) { $place = $longer }
    $previous = $word
    $words += if ($word) { $word } else { "''" }
  }
  $head = ''
  if ($typed -match '^(--[a-z-]+)=' -and ($asking -ccontains $Matches[1] -or $choices.ContainsKey($Matches[1]))) {
    $previous = $Matches[1]
    $head = $Matches[0]
  }
  $isQuoted = $wordToComplete -match '^[''"]'
  $result = {
    param($value, $text)
    $isPlain = $standing -gt 0 -or (-not $isQuoted -and $value -match '^[\\w./:=+,-]+$')
    $written = if ($isPlain) { $value } else { "'" + $value.Replace("'", "''") + "'" }
    $whole = "$head$written".Substring($standing)
    [System.Management.Automation.CompletionResult]::new($whole, $value, 'ParameterValue', $text)
  }
  $isFlag = $typed.StartsWith('-') -and -not $head
  $isStatic = $choices.ContainsKey($previous) -or $isFlag
  $isValue = $asking -ccontains $previous -and ($head -or $taking -ccontains $previous)
  if ($isValue -or ($tree[$place].asked -and -not $isStatic)) {
    # a double quote would part a word before PowerShell 7.3
    $line = @(@("--last=$typed", '--') + $words | ForEach-Object { $_.Replace('"', "'") })
    $program = $commandAst.GetCommandName()
    $code = Get-Variable LASTEXITCODE -Scope Global -ValueOnly -ErrorAction Ignore
    & $program __complete @line 2>$null | ForEach-Object {
      $value, $text = $_ -split "\`t", 2
      if (-not $text) { $text = $value }
      & $result $value $text
    }
    $global:LASTEXITCODE = $code
    return
  }
  $found = if ($choices.ContainsKey($previous)) { $choices[$previous] }
    elseif ($isFlag) { $tree[$place].flags + $globals }
    elseif ($taking -cnotcontains $previous) { $tree[$place].words }
  $start = $typed.Substring($head.Length)
  $fitting = $found | Where-Object { $_ -and $_.StartsWith($start, [System.StringComparison]::Ordinal) }
  $fitting | ForEach-Object { & $result $_ $_ }
}
`;
};
