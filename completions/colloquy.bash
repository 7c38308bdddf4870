# bash completion for colloquy; made by `colloquy completion bash`
_colloquy() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} place= words= flags= word i
  COMPREPLY=()
  case $prev in
    -o|--output) COMPREPLY=($(compgen -W 'table json ndjson yaml csv markdown id' -- "$cur")); return ;;
    --dialect) COMPREPLY=($(compgen -W 'document live' -- "$cur")); return ;;
    --ca-cert|--client-cert|--client-key|-F|--body-file|--file|--old-path|--position|--description-file|--logo|--header-logo|--favicon|--new-project-guidelines-file|--profile-image-guidelines-file|--header-message-file|--footer-message-file|--world|--data|--tls-cert|--tls-key|--log) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --url|--token|--profile|-p|--project|-g|--group|-L|--limit|--timeout|--retries|--mr|--issue|--snippet|--epic|--commit|-m|--message|--created-at|--line|--image-at|--image-size|--base-sha|--start-sha|--head-sha|--commit-id|--thread|--title|--description|--new-project-guidelines|--profile-image-guidelines|--header-message|--footer-message|--message-background-color|--message-font-color|--before|--after|--host|--port|--rate-limit) return ;;
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
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions')
      words='list get create reply resolve unresolve'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions list')
      words=''
      flags='--mr --issue --snippet --epic --commit --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions get')
      words=''
      flags='--mr --issue --snippet --epic --commit --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions create')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions reply')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --created-at --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'discussions unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes')
      words='list add edit delete resolve unresolve'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes list')
      words=''
      flags='--mr --issue --snippet --epic --commit --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes add')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id --thread --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes edit')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread -m --message -F --body-file -e --editor --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes delete')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'notes unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'appearance')
      words='get set'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'appearance get')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'appearance set')
      words=''
      flags='--title --description --description-file --logo --header-logo --favicon --new-project-guidelines --new-project-guidelines-file --profile-image-guidelines --profile-image-guidelines-file --header-message --header-message-file --footer-message --footer-message-file --message-background-color --message-font-color --email-header-and-footer --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics')
      words='list assign create reorder unassign'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics list')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics assign')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics create')
      words=''
      flags='--title --confidential --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics reorder')
      words=''
      flags='--before --after --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'epics unassign')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'auth')
      words='login logout status token'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'auth login')
      words=''
      flags='--with-token --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'auth logout')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'auth status')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'auth token')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config')
      words='get set unset list path'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config get')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config set')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config unset')
      words='url project group timeout retries ca-cert client-cert client-key'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config list')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'config path')
      words=''
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'serve')
      words=''
      flags='--host --port --world --data --dialect --tls-cert --tls-key --rate-limit --log --allow-remote --url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
    'completion')
      words='bash zsh fish powershell'
      flags='--url --token --profile -p --project -g --group --json -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help'
      ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
