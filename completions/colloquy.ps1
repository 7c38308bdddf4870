# PowerShell completion for colloquy; made by `colloquy completion powershell`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
    '' = @{ words = @('discussions', 'notes', 'appearance', 'epics', 'auth', 'config', 'serve', 'api', 'doctor', 'completion', 'help'); flags = @(); asked = $false }
    'discussions' = @{ words = @('list', 'get', 'create', 'reply', 'resolve', 'unresolve'); flags = @(); asked = $false }
    'discussions list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system', '--csv-safe'); asked = $true }
    'discussions get' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'discussions create' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id'); asked = $true }
    'discussions reply' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at'); asked = $true }
    'discussions resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'discussions unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'notes' = @{ words = @('list', 'add', 'edit', 'delete', 'resolve', 'unresolve'); flags = @(); asked = $false }
    'notes list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system', '--csv-safe'); asked = $true }
    'notes add' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id', '--thread'); asked = $true }
    'notes edit' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover'); asked = $true }
    'notes delete' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'notes resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'notes unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'appearance' = @{ words = @('get', 'set'); flags = @(); asked = $false }
    'appearance get' = @{ words = @(); flags = @(); asked = $false }
    'appearance set' = @{ words = @(); flags = @('--title', '--description', '--description-file', '--logo', '--header-logo', '--favicon', '--new-project-guidelines', '--new-project-guidelines-file', '--profile-image-guidelines', '--profile-image-guidelines-file', '--header-message', '--header-message-file', '--footer-message', '--footer-message-file', '--message-background-color', '--message-font-color', '--email-header-and-footer'); asked = $false }
    'epics' = @{ words = @('list', 'assign', 'create', 'reorder', 'unassign'); flags = @(); asked = $false }
    'epics list' = @{ words = @(); flags = @('--csv-safe'); asked = $true }
    'epics assign' = @{ words = @(); flags = @(); asked = $true }
    'epics create' = @{ words = @(); flags = @('--title', '--confidential'); asked = $true }
    'epics reorder' = @{ words = @(); flags = @('--before', '--after'); asked = $true }
    'epics unassign' = @{ words = @(); flags = @(); asked = $true }
    'auth' = @{ words = @('login', 'logout', 'status', 'switch', 'token'); flags = @(); asked = $false }
    'auth login' = @{ words = @(); flags = @('--with-token', '--insecure-storage'); asked = $false }
    'auth logout' = @{ words = @(); flags = @(); asked = $false }
    'auth status' = @{ words = @(); flags = @(); asked = $false }
    'auth switch' = @{ words = @(); flags = @(); asked = $true }
    'auth token' = @{ words = @(); flags = @(); asked = $false }
    'config' = @{ words = @('get', 'set', 'unset', 'list', 'path'); flags = @(); asked = $false }
    'config get' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @(); asked = $false }
    'config set' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @(); asked = $false }
    'config unset' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @(); asked = $false }
    'config list' = @{ words = @(); flags = @(); asked = $false }
    'config path' = @{ words = @(); flags = @(); asked = $false }
    'serve' = @{ words = @(); flags = @('--host', '--port', '--world', '--data', '--backup', '--durability', '--dialect', '--tls-cert', '--tls-key', '--latency', '--rate-limit', '--log', '--allow-remote', '--allowed-host'); asked = $false }
    'api' = @{ words = @('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'); flags = @('-f', '--raw-field', '-F', '--field', '--form', '--input', '--content-type', '-H', '--header', '-i', '--include'); asked = $false }
    'doctor' = @{ words = @(); flags = @(); asked = $false }
    'completion' = @{ words = @('bash', 'zsh', 'fish', 'powershell'); flags = @(); asked = $false }
    'help' = @{ words = @('discussions', 'notes', 'appearance', 'epics', 'auth', 'config', 'serve', 'api', 'doctor', 'completion', 'exit-codes', 'environment', 'formatting', 'refs'); flags = @(); asked = $false }
  }
  $choices = @{
    '-o' = @('table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id')
    '--output' = @('table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id')
    '--type' = @('thread', 'individual', 'diff', 'system')
    '--durability' = @('process', 'power')
    '--dialect' = @('document', 'live')
  }
  $asking = @('--profile', '--json', '--thread', '--before', '--after')
  $taking = @('--url', '--token', '--profile', '-p', '--project', '-g', '--group', '-q', '--jq', '-o', '--output', '-L', '--limit', '--timeout', '--retries', '--ca-cert', '--client-cert', '--client-key', '--mr', '--issue', '--snippet', '--epic', '--commit', '--author', '--type', '--path', '--since', '--until', '--match', '-m', '--message', '-F', '--body-file', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id', '--thread', '--title', '--description', '--description-file', '--logo', '--header-logo', '--favicon', '--new-project-guidelines', '--new-project-guidelines-file', '--profile-image-guidelines', '--profile-image-guidelines-file', '--header-message', '--header-message-file', '--footer-message', '--footer-message-file', '--message-background-color', '--message-font-color', '--before', '--after', '--host', '--port', '--world', '--data', '--backup', '--durability', '--dialect', '--tls-cert', '--tls-key', '--latency', '--rate-limit', '--log', '--allowed-host', '-f', '--raw-field', '--field', '--form', '--input', '--content-type', '-H', '--header')
  $globals = @('--url', '--token', '--profile', '-p', '--project', '-g', '--group', '--json', '-q', '--jq', '-o', '--output', '--all', '-L', '--limit', '--no-input', '-y', '--yes', '-n', '--dry-run', '--quiet', '--debug', '--timeout', '--retries', '--sandbox', '--ca-cert', '--client-cert', '--client-key', '--version', '-h', '--help')
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
    $isPlain = $standing -gt 0 -or (-not $isQuoted -and $value -match '^[\w./:=+,-]+$')
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
      $value, $text = $_ -split "`t", 2
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
