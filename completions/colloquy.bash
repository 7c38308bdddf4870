# bash completion for colloquy; made by `colloquy completion bash`

# Values that the program knows, quoted where need be; with what they are, as long as there is a choice.
_colloquy_ask() {
  local value text known=() shown=() before=
  while IFS=$'\t' read -r value text; do
    case $cur in
      [\"\']*) if [[ $value == *[\"\'\\\`\$!]* ]]; then continue; fi ;;
      *) if [[ $value == *[!A-Za-z0-9_.,:=/@+%-]* ]]; then printf -v value %q "$value"; fi ;;
    esac
    known+=("$value")
    shown+=("$value${text:+  ($text)}")
  done < <("${COMP_WORDS[0]}" __complete -- "${line[@]//[\"\'\\]/}" 2>/dev/null)
  case $cur in *[=:]*) before=${cur%"${cur##*[=:]}"} ;; esac
  if ((${#known[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then known=("${shown[@]}"); fi
  COMPREPLY=("${known[@]#"$before"}")
}

# Files as bash itself completes them; its version 3 can't be asked to.
_colloquy_files() {
  local IFS=$'\n'
  compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$cur"))
}

_colloquy() {
  local cur prev place= words= flags= asked= word i last line=()
  COMPREPLY=()
  # bash parts words at = and : as well
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]} last=$((${#line[@]} - 1))
    if ((last >= 0)) && [[ $word == [=:]* || ${line[last]} == *[=:] ]]; then line[last]+=$word
    else line+=("$word"); fi
  done
  last=$((${#line[@]} - 1)) cur=${line[last]} prev=
  if ((last > 0)); then prev=${line[last-1]}; fi
  case $cur in
    --json=*) cur=${cur#*=}; _colloquy_ask; return ;;
    --*=*) prev=${cur%%=*} cur=${cur#*=} ;;
  esac
  case $prev in
    -o|--output) COMPREPLY=($(compgen -W 'table json ndjson yaml csv tsv markdown id' -- "$cur")); return ;;
    --type) COMPREPLY=($(compgen -W 'thread individual diff system' -- "$cur")); return ;;
    --durability) COMPREPLY=($(compgen -W 'process power' -- "$cur")); return ;;
    --dialect) COMPREPLY=($(compgen -W 'document live' -- "$cur")); return ;;
    --ca-cert|--client-cert|--client-key|--path|-F|--body-file|--file|--old-path|--position|--description-file|--logo|--header-logo|--favicon|--new-project-guidelines-file|--profile-image-guidelines-file|--header-message-file|--footer-message-file|--world|--backup|--tls-cert|--tls-key|--log|--input) _colloquy_files; return ;;
    --profile|--thread|--before|--after) _colloquy_ask; return ;;
    --url|--token|-p|--project|-g|--group|-q|--jq|-L|--limit|--timeout|--retries|--mr|--issue|--snippet|--epic|--commit|--author|--since|--until|--match|-m|--message|--created-at|--line|--image-at|--image-size|--base-sha|--start-sha|--head-sha|--commit-id|--title|--description|--new-project-guidelines|--profile-image-guidelines|--header-message|--footer-message|--message-background-color|--message-font-color|--host|--port|--data|--latency|--rate-limit|--allowed-host|-f|--raw-field|-F|--field|--form|--content-type|-H|--header) return ;;
  esac
  for ((i = 0; i < last; i++)); do
    word=${line[i]}
    if ((i > 0)); then case ${line[i-1]} in --url|--token|--profile|-p|--project|-g|--group|-q|--jq|-o|--output|-L|--limit|--timeout|--retries|--ca-cert|--client-cert|--client-key|--mr|--issue|--snippet|--epic|--commit|--author|--type|--path|--since|--until|--match|-m|--message|-F|--body-file|--created-at|--file|--line|--old-path|--image-at|--image-size|--position|--base-sha|--start-sha|--head-sha|--commit-id|--thread|--title|--description|--description-file|--logo|--header-logo|--favicon|--new-project-guidelines|--new-project-guidelines-file|--profile-image-guidelines|--profile-image-guidelines-file|--header-message|--header-message-file|--footer-message|--footer-message-file|--message-background-color|--message-font-color|--before|--after|--host|--port|--world|--data|--backup|--durability|--dialect|--tls-cert|--tls-key|--latency|--rate-limit|--log|--allowed-host|-f|--raw-field|--field|--form|--input|--content-type|-H|--header) continue ;; esac; fi
    case "$place${place:+ }$word" in
      'discussions'|'discussions list'|'discussions get'|'discussions create'|'discussions reply'|'discussions resolve'|'discussions unresolve'|'notes'|'notes list'|'notes add'|'notes edit'|'notes delete'|'notes resolve'|'notes unresolve'|'appearance'|'appearance get'|'appearance set'|'epics'|'epics list'|'epics assign'|'epics create'|'epics reorder'|'epics unassign'|'auth'|'auth login'|'auth logout'|'auth status'|'auth switch'|'auth token'|'config'|'config get'|'config set'|'config unset'|'config list'|'config path'|'serve'|'api'|'doctor'|'completion'|'help') place="$place${place:+ }$word" ;;
    esac
  done
  case $place in
    '')
      words='discussions notes appearance epics auth config serve api doctor completion help'
      flags=''
      ;;
    'discussions')
      words='list get create reply resolve unresolve'
      flags=''
      ;;
    'discussions list')
      words=''
      flags='--mr --issue --snippet --epic --commit --unresolved --resolved --author --mine --type --path --since --until --match --no-system --csv-safe'
      asked=1
      ;;
    'discussions get')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      asked=1
      ;;
    'discussions create')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id'
      asked=1
      ;;
    'discussions reply')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at'
      asked=1
      ;;
    'discussions resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      asked=1
      ;;
    'discussions unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit'
      asked=1
      ;;
    'notes')
      words='list add edit delete resolve unresolve'
      flags=''
      ;;
    'notes list')
      words=''
      flags='--mr --issue --snippet --epic --commit --unresolved --resolved --author --mine --type --path --since --until --match --no-system --csv-safe'
      asked=1
      ;;
    'notes add')
      words=''
      flags='--mr --issue --snippet --epic --commit -m --message -F --body-file -e --editor --recover --created-at --file --line --old-path --image-at --image-size --position --base-sha --start-sha --head-sha --commit-id --thread'
      asked=1
      ;;
    'notes edit')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread -m --message -F --body-file -e --editor --recover'
      asked=1
      ;;
    'notes delete')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      asked=1
      ;;
    'notes resolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      asked=1
      ;;
    'notes unresolve')
      words=''
      flags='--mr --issue --snippet --epic --commit --thread'
      asked=1
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
      flags='--csv-safe'
      asked=1
      ;;
    'epics assign')
      words=''
      flags=''
      asked=1
      ;;
    'epics create')
      words=''
      flags='--title --confidential'
      asked=1
      ;;
    'epics reorder')
      words=''
      flags='--before --after'
      asked=1
      ;;
    'epics unassign')
      words=''
      flags=''
      asked=1
      ;;
    'auth')
      words='login logout status switch token'
      flags=''
      ;;
    'auth login')
      words=''
      flags='--with-token --insecure-storage'
      ;;
    'auth logout')
      words=''
      flags=''
      ;;
    'auth status')
      words=''
      flags=''
      ;;
    'auth switch')
      words=''
      flags=''
      asked=1
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
      flags='--host --port --world --data --backup --durability --dialect --tls-cert --tls-key --latency --rate-limit --log --allow-remote --allowed-host'
      ;;
    'api')
      words='GET HEAD POST PUT PATCH DELETE OPTIONS'
      flags='-f --raw-field -F --field --form --input --content-type -H --header -i --include'
      ;;
    'doctor')
      words=''
      flags=''
      ;;
    'completion')
      words='bash zsh fish powershell'
      flags=''
      ;;
    'help')
      words='discussions notes appearance epics auth config serve api doctor completion exit-codes environment formatting refs'
      flags=''
      ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags --url --token --profile -p --project -g --group --json -q --jq -o --output --all -L --limit --no-input -y --yes -n --dry-run --quiet --debug --timeout --retries --sandbox --ca-cert --client-cert --client-key --version -h --help" -- "$cur")) ;;
    *) if [[ $asked ]]; then _colloquy_ask; else COMPREPLY=($(compgen -W "$words" -- "$cur")); fi ;;
  esac
}
complete -o bashdefault -F _colloquy colloquy
