# The file is generated: what it quotes must not mention people or run commands.
set -- ${COLLOQUY_MERGE_REQUEST:+--mr="$COLLOQUY_MERGE_REQUEST"} --key="$COMMENT_KEY" --body-file="$COMMENT_FILE" --neutral
if [ -n "$COMMENT_SECTION" ]; then set -- "$@" --section="$COMMENT_SECTION"; fi
colloquy notes upsert "$@"
