The texts for people. All come from the tables; test_tables.py compares them with each other.

  $ tare version
  tare 0.1.0
  $ tare --version
  tare 0.1.0
  $ tare help
  $ tare --help | cmp - <(tare help)
  $ tare -h | cmp - <(tare help)
  $ tare help version
  $ tare help audit
  $ tare audit -h | cmp - <(tare help audit)
  $ tare help perturb
  $ tare help score
  $ tare help report
  $ tare help --json | python3 -m json.tool | head -n 4

Manual pages:

  $ tare help --man version
  $ mkdir pages && tare help --pages pages && ls pages
  $ tare help --pages no-such-folder
  tare help: no-such-folder/tare.1: No such file or directory
  [3]

Completion:

  $ tare completion bash | bash -n
  $ source <(tare completion bash); COMP_WORDS=(tare au); COMP_CWORD=1; _tare; echo "${COMPREPLY[@]}"
  audit
  $ source <(tare completion bash); COMP_WORDS=(tare audit --thr); COMP_CWORD=2; _tare; echo "${COMPREPLY[@]}"
  --threads
  $ source <(tare completion bash); COMP_WORDS=(tare audit --colour ne); COMP_CWORD=3; _tare; echo "${COMPREPLY[@]}"
  never
