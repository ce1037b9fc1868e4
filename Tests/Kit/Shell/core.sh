# tallyd and its time for tests in bash. $PROGRAMS is the folder of the programs, and $TALLYMARK_SOCKET the core's socket.

KIT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# await COMMAND…: waits until a command succeeds, for at most a minute, or as many seconds as TALLYMARK_PATIENCE says.
await() {
  local end=$((SECONDS + ${TALLYMARK_PATIENCE:-60}))
  until "$@" > /dev/null 2>&1; do
    (( SECONDS < end )) || { echo "Waited in vain: $*" >&2; return 1; }
    sleep 0.05
  done
}

# start_core FOLDER: starts tallyd, with the configuration $CORE_CONFIG if there is one, and waits until it replies. Its
# journal is FOLDER/state, its log FOLDER/log, and its process $core.
start_core() {
  "$PROGRAMS/tallyd" --state "$1/state" ${CORE_CONFIG:+--config "$CORE_CONFIG"} 2>> "$1/log" < /dev/null &
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

# clock VERB [SECONDS]: see kit/virtual_time.py.
clock() { PYTHONPATH=$KIT/Python python3 -m kit.virtual_time "$1" "$VIRTUAL_TIME" "${@:2}"; }

# stop_clock FILE: for all programs from now on time stands still on a Wednesday at 12:30 UTC, but for what `pass` and
# `shift_to` say.
stop_clock() {
  local library
  export VIRTUAL_TIME=$1
  library=$(clock new) || return
  export LD_PRELOAD=$library
}

# pass SECONDS: lets time pass.
pass() { clock pass "$1"; }

# shift_to SECONDS: sets the time that people read, so much later than it would be.
shift_to() { clock set "$1"; }
