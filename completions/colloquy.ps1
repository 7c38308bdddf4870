# PowerShell completion for colloquy; made by `colloquy completion powershell`
Register-ArgumentCompleter -Native -CommandName colloquy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
    '' = @{ words = @('discussions', 'notes', 'appearance', 'epics', 'auth', 'config', 'serve', 'completion'); flags = @() }
    'discussions' = @{ words = @('list', 'get', 'create', 'reply', 'resolve', 'unresolve'); flags = @() }
    'discussions list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system') }
    'discussions get' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit') }
    'discussions create' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id') }
    'discussions reply' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at') }
    'discussions resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit') }
    'discussions unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit') }
    'notes' = @{ words = @('list', 'add', 'edit', 'delete', 'resolve', 'unresolve'); flags = @() }
    'notes list' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--unresolved', '--resolved', '--author', '--mine', '--type', '--path', '--since', '--until', '--match', '--no-system') }
    'notes add' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover', '--created-at', '--file', '--line', '--old-path', '--image-at', '--image-size', '--position', '--base-sha', '--start-sha', '--head-sha', '--commit-id', '--thread') }
    'notes edit' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread', '-m', '--message', '-F', '--body-file', '-e', '--editor', '--recover') }
    'notes delete' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread') }
    'notes resolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread') }
    'notes unresolve' = @{ words = @(); flags = @('--mr', '--issue', '--snippet', '--epic', '--commit', '--thread') }
    'appearance' = @{ words = @('get', 'set'); flags = @() }
    'appearance get' = @{ words = @(); flags = @() }
    'appearance set' = @{ words = @(); flags = @('--title', '--description', '--description-file', '--logo', '--header-logo', '--favicon', '--new-project-guidelines', '--new-project-guidelines-file', '--profile-image-guidelines', '--profile-image-guidelines-file', '--header-message', '--header-message-file', '--footer-message', '--footer-message-file', '--message-background-color', '--message-font-color', '--email-header-and-footer') }
    'epics' = @{ words = @('list', 'assign', 'create', 'reorder', 'unassign'); flags = @() }
    'epics list' = @{ words = @(); flags = @() }
    'epics assign' = @{ words = @(); flags = @() }
    'epics create' = @{ words = @(); flags = @('--title', '--confidential') }
    'epics reorder' = @{ words = @(); flags = @('--before', '--after') }
    'epics unassign' = @{ words = @(); flags = @() }
    'auth' = @{ words = @('login', 'logout', 'status', 'token'); flags = @() }
    'auth login' = @{ words = @(); flags = @('--with-token') }
    'auth logout' = @{ words = @(); flags = @() }
    'auth status' = @{ words = @(); flags = @() }
    'auth token' = @{ words = @(); flags = @() }
    'config' = @{ words = @('get', 'set', 'unset', 'list', 'path'); flags = @() }
    'config get' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @() }
    'config set' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @() }
    'config unset' = @{ words = @('url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key'); flags = @() }
    'config list' = @{ words = @(); flags = @() }
    'config path' = @{ words = @(); flags = @() }
    'serve' = @{ words = @(); flags = @('--host', '--port', '--world', '--data', '--dialect', '--tls-cert', '--tls-key', '--rate-limit', '--log', '--allow-remote') }
    'completion' = @{ words = @('bash', 'zsh', 'fish', 'powershell'); flags = @() }
  }
  $choices = @{
    '-o' = @('table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id')
    '--output' = @('table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id')
    '--dialect' = @('document', 'live')
  }
  $globals = @('--url', '--token', '--profile', '-p', '--project', '-g', '--group', '--json', '-q', '--jq', '-o', '--output', '--all', '-L', '--limit', '--no-input', '-y', '--yes', '-n', '--dry-run', '--quiet', '--debug', '--timeout', '--retries', '--sandbox', '--ca-cert', '--client-cert', '--client-key', '--version', '-h', '--help')
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
