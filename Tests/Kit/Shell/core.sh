# tallyd for tests in bash. $PROGRAMS is the folder of the programs, and $TALLYMARK_SOCKET the core's socket.

# await COMMAND…: waits up to a minute until a command succeeds.
await() {
  local end=$((SECONDS + 60))
  until "$@" > /dev/null 2>&1; do
    (( SECONDS < end )) || { echo "Waited in vain: $*" >&2; return 1; }
    sleep 0.05
  done
}

# start_core FOLDER [WORD…]: starts tallyd, after words such as `env X=1`, and waits until it replies. Its journal is
# FOLDER/state, its log FOLDER/log, and its process $core.
start_core() {
  "${@:2}" "$PROGRAMS/tallyd" --state "$1/state" 2>> "$1/log" < /dev/null &
  core=$!
  await "$PROGRAMS/tally" show || { cat "$1/log" >&2; return 1; }
}

# end_core: asks it to end, and waits for its end.
end_core() {
  kill "$core" 2> /dev/null || true
  wait "$core" 2> /dev/null || true
}

# kill_core: ends it the hard way, as a power cut would.
kill_core() {
  kill -KILL "$core"
  wait "$core" 2> /dev/null || true
}
