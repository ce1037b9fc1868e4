# The words of sessions besides those of Tests/Programs/Demands/words.sh.

export TZ=Asia/Kolkata COLUMNS=80 CORE_CONFIG=$W/core.toml
# Between the two halves of a reset two programs are started, on a machine that may be busy.
echo 'reset-window = 60' > "$CORE_CONFIG"
cd "$W"

# there COMMAND…: runs tally with the second core, which the first call starts.
there() {
  if [[ -z ${other-} ]]; then
    mkdir "$W/there"
    TALLYMARK_SOCKET=$W/there/s start_core "$W/there"
    other=$core core=$P
    trap 'kill $other' EXIT
  fi
  TALLYMARK_SOCKET=$W/there/s tally "$@"
}

# forget_there: ends the second core, and removes all that it has.
forget_there() {
  kill "$other"
  wait "$other"
  other=
  rm -rf there
}

# widest: the width of the widest line; letters of East Asia and emoji take two columns.
widest() {
  python3 -c 'import sys; print(max(sum(1 + (ord(one) > 0x2e7f) for one in line.rstrip("\n")) for line in sys.stdin))'
}

# each COMMAND WORD…: runs tally with the command and each of the words.
each() {
  local word
  for word in "${@:2}"; do tally $1 "$word" || return; done
}

# everything CORE: all that a core tells of itself; CORE is tally or there.
everything() { "$1" show --json && "$1" history --json; }

# stand_for NAME…: puts programs of these names into $W/bin, which write their arguments and what they read into $W/heard.
stand_for() {
  mkdir -p bin
  for name; do
    printf '#!/bin/sh\nfor word in "$@"; do echo "<$word>"; done > "%s"\n/bin/cat >> "%s"\n' "$W/heard" "$W/heard" > "bin/$name"
    chmod +x "bin/$name"
  done
}
