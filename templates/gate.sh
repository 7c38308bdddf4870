set -- ${COLLOQUY_MERGE_REQUEST:+"$COLLOQUY_MERGE_REQUEST"} --wait="$GATE_WAIT"
if [ "$ACCEPT_BY" != anyone ]; then set -- "$@" --accept-by="$ACCEPT_BY"; fi
colloquy discussions check "$@"
