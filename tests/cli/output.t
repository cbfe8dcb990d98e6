Output that cannot be written is an error; a reader that goes away is none of ours.

  $ tare help >/dev/full
  tare: standard output: No space left on device
  [3]
  $ tare help --json >&-
  tare: standard output: Bad file descriptor
  [3]
  $ set -o pipefail; tare help --json | true; echo $?
  141
  $ tare help --json | head -n 1
  {"version": "0.1.0",
