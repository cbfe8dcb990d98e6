Output that cannot be written is an error; a reader that goes away is none of ours.

  $ tare help >/dev/full
  tare: standard output: No space left on device
  [3]
  $ tare help --json >&-
  tare: standard output: Bad file descriptor
  [3]
  $ ( sleep 0.5; tare help; echo $? >&2 ) | true
  141
  $ tare help --json | head -n 1
  {"version": "0.1.0",
