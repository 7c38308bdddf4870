if [ "${COLLOQUY_GATE-true}" != true ]; then printf '%s\n' 'set the input gate to true or false' >&2; exit 2; fi
# A pipeline of a merge request checks that one, whatever a variable says.
if [ -n "${CI_MERGE_REQUEST_IID-}" ]; then
  case ${COLLOQUY_MERGE_REQUEST-} in
    '' | "$CI_MERGE_REQUEST_IID" | "!$CI_MERGE_REQUEST_IID" | "mr/$CI_MERGE_REQUEST_IID") ;;
    *) printf '%s\n' 'COLLOQUY_MERGE_REQUEST is not the merge request of this pipeline' >&2; exit 2 ;;
  esac
  # Of the pipeline, so that the program refuses another project.
  COLLOQUY_MERGE_REQUEST=
fi
set -- ${COLLOQUY_MERGE_REQUEST:+--mr="$COLLOQUY_MERGE_REQUEST"} ${GATE_WAIT:+--wait="$GATE_WAIT"}
if [ "${ACCEPT_BY-anyone}" != anyone ]; then set -- "$@" --accept-by="$ACCEPT_BY"; fi
colloquy discussions check "$@"
