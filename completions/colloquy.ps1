# PowerShell completion for colloquy; made by `colloquy completion powershell`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
    '' = @{ words = @('discussions', 'notes', 'appearance', 'epics', 'auth', 'config', 'serve', 'api', 'doctor', 'completion', 'help'); flags = @(); asked = $false }
    'discussions' = @{ words = @('list', 'get', 'create', 'reply', 'resolve', 'unresolve'); flags = @(); asked = $false }
    'discussions list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system'); asked = $true }
    'discussions get' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'discussions create' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id'); asked = $true }
    'discussions reply' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at'); asked = $true }
    'discussions resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'discussions unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit'); asked = $true }
    'notes' = @{ words = @('list', 'add', 'edit', 'delete', 'resolve', 'unresolve'); flags = @(); asked = $false }
    'notes list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system'); asked = $true }
    'notes add' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id', '--thread'); asked = $true }
    'notes edit' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover'); asked = $true }
    'notes delete' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'notes resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'notes unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread'); asked = $true }
    'appearance' = @{ words = @('get', 'set'); flags = @(); asked = $false }
    'appearance get' = @{ words = @(); flags = @(); asked = $false }
    'appearance set' = @{ words = @(); flags = @('--title', '--description', '--description-file', '--logo', '--header-logo', '--favicon', '--new-project-guidelines', '--new-project-guidelines-file', '--profile-image-guidelines', '--profile-image-guidelines-file', '--header-message', '--header-message-file', '--footer-message', '--footer-message-file', '--message-background-color', '--message-font-color', '--email-header-and-footer'); asked = $false }
    'epics' = @{ words = @('list', 'assign', 'create', 'reorder', 'unassign'); flags = @(); asked = $false }
    'epics list' = @{ words = @(); flags = @(); asked = $true }
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
  $globals = @('--url', '--token', '--profile', '-p', '--project', '-g', '--group', '--json', '-q', '--jq', '-o', '--output', '--all', '-L', '--limit', '--no-input', '-y', '--yes', '-n', '--dry-run', '--quiet', '--debug', '--timeout', '--retries', '--sandbox', '--ca-cert', '--client-cert', '--client-key', '--version', '-h', '--help')
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
      $value, $text = $_ -split "`t", 2
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
