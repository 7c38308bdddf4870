for switch in "resolve ${REPORT_RESOLVE-true}" "allow_empty ${REPORT_ALLOW_EMPTY-false}" \
  "allow_failed_run ${REPORT_ALLOW_FAILED_RUN-false}"; do
  name=${switch%% *}
  case $switch in
    "$name true" | "$name false") ;;
    *) printf '%s\n' "set the input $name to true or false" >&2; exit 2 ;;
  esac
done
# Without a name, the command would read standard input, which is empty in a job.
case $REPORT_FILES in
  *[![:space:]]*) ;;
  *) printf '%s\n' 'the input report_files names no file' >&2; exit 2 ;;
esac
# A pipeline of a merge request checks that one, whatever a variable says.
if [ -n "${CI_MERGE_REQUEST_IID-}" ]; then
  case ${COLLOQUY_MERGE_REQUEST-} in
    '' | "$CI_MERGE_REQUEST_IID" | "!$CI_MERGE_REQUEST_IID" | "mr/$CI_MERGE_REQUEST_IID") ;;
    *) printf '%s\n' 'COLLOQUY_MERGE_REQUEST is not the merge request of this pipeline' >&2; exit 2 ;;
  esac
  # Of the pipeline, so that the program refuses another project.
  COLLOQUY_MERGE_REQUEST=
fi
set -- ${COLLOQUY_MERGE_REQUEST:+--mr="$COLLOQUY_MERGE_REQUEST"} --from="$REPORT_FORMAT"
# These formats name no tool, and only GitLab has a name of its own for each job.
case $REPORT_FORMAT in
  codequality | checkstyle | junit | lines | diff) REPORT_KEY=${REPORT_KEY:-${CI_JOB_NAME:+$CI_JOB_NAME/$REPORT_FORMAT}} ;;
esac
if [ -n "$REPORT_KEY" ]; then set -- "$@" --key="$REPORT_KEY"; fi
if [ "$REPORT_FAIL_LEVEL" != none ]; then set -- "$@" --fail-level="$REPORT_FAIL_LEVEL"; fi
if [ "${ACCEPT_BY-anyone}" != anyone ]; then set -- "$@" --accept-by="$ACCEPT_BY"; fi
if [ "$REPORT_FILTER" != added ]; then set -- "$@" --filter="$REPORT_FILTER"; fi
if [ -n "$REPORT_ROOT" ]; then set -- "$@" --root="$REPORT_ROOT"; fi
if [ -n "$REPORT_PREFIX" ]; then set -- "$@" --prefix="$REPORT_PREFIX"; fi
if [ -n "${REPORT_STRIP-}" ]; then set -- "$@" --strip="$REPORT_STRIP"; fi
if [ "$REPORT_MAX" != 30 ]; then set -- "$@" --max="$REPORT_MAX"; fi
if [ "$REPORT_RESOLVE" = false ]; then set -- "$@" --no-resolve; fi
if [ -n "$REPORT_PATTERN" ]; then set -- "$@" --pattern="$REPORT_PATTERN"; fi
if [ "$REPORT_ALLOW_EMPTY" = true ]; then set -- "$@" --allow-empty; fi
if [ "$REPORT_ALLOW_FAILED_RUN" = true ]; then set -- "$@" --allow-failed-run; fi
# A job log is read by people: a table is aligned.
set -- "$@" --output=table --
# The only expansion without quotes, for the patterns. A merge request can add files of any name: behind `./`, none
# is an option, a reference or standard input.
for report in $REPORT_FILES; do
  case $report in /*) ;; *) report=./$report ;; esac
  set -- "$@" "$report"
done
colloquy notes post "$@"
