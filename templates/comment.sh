# A pipeline of a merge request comments on that one, whatever a variable says.
if [ -n "${CI_MERGE_REQUEST_IID-}" ]; then
  case ${COLLOQUY_MERGE_REQUEST-} in
    '' | "$CI_MERGE_REQUEST_IID" | "!$CI_MERGE_REQUEST_IID" | "mr/$CI_MERGE_REQUEST_IID") ;;
    *) printf '%s\n' 'COLLOQUY_MERGE_REQUEST is not the merge request of this pipeline' >&2; exit 2 ;;
  esac
  # Of the pipeline, so that the program refuses another project.
  COLLOQUY_MERGE_REQUEST=
fi
# The file is generated: what it quotes must not mention people or run commands.
set -- ${COLLOQUY_MERGE_REQUEST:+--mr="$COLLOQUY_MERGE_REQUEST"} --key="$COMMENT_KEY" --body-file="$COMMENT_FILE" --neutral
if [ -n "$COMMENT_SECTION" ]; then set -- "$@" --section="$COMMENT_SECTION"; fi
colloquy notes upsert "$@"
