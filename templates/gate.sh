colloquy discussions check ${COLLOQUY_MERGE_REQUEST:+"$COLLOQUY_MERGE_REQUEST"} --wait="$GATE_WAIT"
