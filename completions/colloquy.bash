# bash completion for colloquy; made by `colloquy completion bash`
_colloquy() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} place= words= flags= word i
  COMPREPLY=()
  case $prev in
    -o|--output) COMPREPLY=($(compgen -W 'table json ndjson yaml csv tsv markdown id' -- "$cur")); return ;;
    --dialect) COMPREPLY=($(compgen -W 'document live' -- "$cur")); return ;;
    --ca-cert|--client-cert|--client-key|--path|-F|--body-file|--file|--old-path|--position|--description-file|--logo|--header-logo|--favicon|--new-project-guidelines-file|--profile-image-guidelines-file|--header-message-file|--footer-message-file|--world|--data|--tls-cert|--tls-key|--log) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --url|--token|--profile|-p|--project|-g|--group|-q|--jq|-L|--limit|--timeout|--retries|--mr|--issue|--snippet|--epic|--commit|--author|--type|--since|--until|--match|-m|--message|--created-at|--line|--image-at|--image-size|--base-sha|--start-sha|--head-sha|--commit-id|--thread|--title|--description|--new-project-guidelines|--profile-image-guidelines|--header-message|--footer-message|--message-background-color|--message-font-color|--before|--after|--host|--port|--rate-limit) return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$place${place:+ }$word" in
      'discussions'|'discussions list'|'discussions get'|'discussions create'|'discussions reply'|'discussions resolve'|'discussions unresolve'|'notes'|'notes list'|'notes add'|'notes edit'|'notes delete'|'notes resolve'|'notes unresolve'|'appearance'|'appearance get'|'appearance set'|'epics'|'epics list'|'epics assign'|'epics create'|'epics reorder'|'epics unassign'|'auth'|'auth login'|'auth logout'|'auth status'|'auth token'|'config'|'config get'|'config set'|'config unset'|'config list'|'config path'|'serve'|'completion') place="$place${place:+ }$word" ;;
    esac
  done
  case $place in
    '')
      words='discussions notes appearance epics auth config serve completion'
      flags=''
      ;;
    'discussions')
      words='list get create reply resolve unresolve'
      flags=''
      ;;
    'discussions list')
      words=''
      flags='--mr --issue --snippet --epic --commit --unresolved --resolved --author --mine --type --path --since --until --match --no-system'
      ;;
    'discussions get')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      ;;
    'discussions create')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id'
      ;;
    'discussions reply')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at'
      ;;
    'discussions resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      ;;
    'discussions unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      ;;
    'notes')
      words='list add edit delete resolve unresolve'
      flags=''
      ;;
    'notes list')
      words=''
      flags='--mr --issue --snippet --epic --commit --unresolved --resolved --author --mine --type --path --since --until --match --no-system'
      ;;
    'notes add')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id --thread'
      ;;
    'notes edit')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread -m --message -F --body-file -e --editor --recover'
      ;;
    'notes delete')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      ;;
    'notes resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      ;;
    'notes unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      ;;
    'appearance')
      words='get set'
      flags=''
      ;;
    'appearance get')
      words=''
      flags=''
      ;;
    'appearance set')
      words=''
      flags='--title --description --description-file --logo --header-logo --favicon --new-project-guidelines --new-project-guidelines-file --profile-image-guidelines --profile-image-guidelines-file --header-message --header-message-file --footer-message --footer-message-file --message-background-color --message-font-color --email-header-and-footer'
      ;;
    'epics')
      words='list assign create reorder unassign'
      flags=''
      ;;
    'epics list')
      words=''
      flags=''
      ;;
    'epics assign')
      words=''
      flags=''
      ;;
    'epics create')
      words=''
      flags='--title --confidential'
      ;;
    'epics reorder')
      words=''
      flags='--before --after'
      ;;
    'epics unassign')
      words=''
      flags=''
      ;;
    'auth')
      words='login logout status token'
      flags=''
      ;;
    'auth login')
      words=''
      flags='--with-token'
      ;;
    'auth logout')
      words=''
      flags=''
      ;;
    'auth status')
      words=''
      flags=''
      ;;
    'auth token')
      words=''
      flags=''
      ;;
    'config')
      words='get set unset list path'
      flags=''
      ;;
    'config get')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags=''
      ;;
    'config set')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags=''
      ;;
    'config unset')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags=''
      ;;
    'config list')
      words=''
      flags=''
      ;;
    'config path')
      words=''
      flags=''
      ;;
    'serve')
      words=''
      flags='--host --port --world --data --dialect --tls-cert --tls-key --rate-limit --log --allow-remote'
      ;;
    'completion')
      words='bash zsh fish powershell'
      flags=''
      ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags --url --token --profile -p --project -g --group --json -q --jq -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
