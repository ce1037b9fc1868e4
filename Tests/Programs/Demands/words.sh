# The words in the commands of Tests/Programs/Demands/demands.md, for bash. Tests/Programs/Demands/run sources this file before each row, with
# $W, an empty folder, $PROGRAMS, the folder of the programs, and $HERE, the folder of this file.

export TALLYMARK_SOCKET=$W/s XDG_RUNTIME_DIR=$W/runtime XDG_STATE_HOME=$W/home/state XDG_CONFIG_HOME=$W/home/config
export HOME=$W/home PATH=$PROGRAMS:$PATH LC_ALL=C.UTF-8 TZ=UTC COLUMNS=100 NO_COLOR=1
unset DISPLAY WAYLAND_DISPLAY PAGER TALLYMARK_PAGER LESS
export FAKE=$W/programs PTY=$HERE/terminal LOCS=$W/locales
mkdir -p "$XDG_RUNTIME_DIR" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$FAKE"
chmod 700 "$XDG_RUNTIME_DIR"

source "$HERE/../../Kit/Shell/core.sh"

# up: starts the core, and waits until it replies. $P is its process.
up() {
  start_core "$W" || return
  P=$core
}

# down: stops the core.
down() { end_core; }

# fresh: empties the core.
fresh() {
  down
  rm -rf "$W/state"
  up
}

# clocked_core: empties the core; see stop_clock.
clocked_core() {
  stop_clock "$W/time" || return
  fresh
}

# configuration TOML: writes a configuration with \n for a new line.
configuration() { printf '%b' "$1" > "$W/input.toml"; }

# replay TOML ACT…: prints the gestures in made-up touches on a panel of 250 by 170 mm; see touches.
replay() {
  configuration "$1"
  "$HERE/touches" "${@:2}" > "$W/touches.evemu"
  tally-input replay --config "$W/input.toml" --as-fast-as-possible "$W/touches.evemu"
}

# check TOML: says what is wrong in a configuration.
check() {
  configuration "$1"
  tally-input check "$W/input.toml"
}

# shake N: prints the gestures in half a second of shaking with N m/s².
shake() {
  configuration '[[bind]]\ngesture = "shake"\ndo = "add"\n'
  awk -v peak="$1" 'BEGIN {
    print "t_seconds,x,y,z"
    for (i = 0; i < 300; i++) {
      t = i / 100
      printf "%.4f,%.3f,0,9.81\n", t, (t > 1 && t < 1.5) ? peak * sin(2 * 3.14159265 * 4 * t) : 0
    }
  }' > "$W/shake.csv"
  tally-input replay --config "$W/input.toml" --as-fast-as-possible --accelerometer "$W/shake.csv"
}

# ask METHOD PARAMETERS: calls a method of the core and prints its reply.
ask() {
  printf '{"method":"org.tallymark.Counters.%s","parameters":%s}\0' "$1" "$2" | nc -U -N -w 60 "$W/s" | tr -d '\0'
}

# deliver CHANGES: delivers changes as tally-inputd does, all at once.
deliver() {
  local epoch
  epoch=$(ask Open '{"producer":"demands"}' | grep -o '"epoch":[0-9]*' | tr -dc 0-9)
  ask Deliver "{\"producer\":\"demands\",\"epoch\":$epoch,\"sequence\":1,\"changes\":$1}"
}

# Programs that record how they are called: what is opened in $W/opened, what is copied in $W/copied.
for program in xdg-open xdg-email; do
  printf '#!/bin/sh\nprintf "%%s\\n" "$@" >> "%s"\n' "$W/opened" > "$FAKE/$program"
done
for program in wl-copy xclip; do printf '#!/bin/sh\ncat > "%s"\n' "$W/copied" > "$FAKE/$program"; done
chmod +x "$FAKE"/*

# The locale of a row that asks for it.
if [[ $ROW == *'$LOCS'* ]]; then
  mkdir -p "$LOCS"
  localedef -i de_DE -f UTF-8 "$LOCS/de_DE.UTF-8" 2> /dev/null
fi
