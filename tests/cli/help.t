The texts for people. All come from the tables; test_tables.py compares them with each other.

  $ tare version
  tare 0.1.0
  $ tare --version
  tare 0.1.0
  $ tare help
  tare finds out whether a learned scorer or judge can be trusted.
  
  usage: tare COMMAND [OPTIONS] [INPUTS]
  
  Commands
    audit       find out what a scorer prefers, and what of it is the scorer's own
    compare     find out whether what holds in one run holds in another
    matrix      find out whether judges favour texts by their own model or its
                family
    panel       find out whether combining judges helps, and which
    agree       find out how closely judges follow people, and people each other
    power       find out what a study can see, and how many photographs it needs
    perturb     make dose series of photographs and keep them as files
    score       score photographs, or the variants of tare perturb
    scorer      look into published scorers: files, where they come from, whether
                they hold
    validate    plant known biases, and count how often the audit finds them
    report      write the report of a finished run again
    doctor      say what can be used here, and what is missing
    demo        audit BRISQUE and an NSFW filter on demo photographs
    help        explain a command
    version     print the version
    completion  print the completion script of a shell
  
  Exit codes
    0   done; an audit that could not answer says why and is done too
    1   what was to be checked does not hold, or could not be checked
    2   the command line is wrong
    3   the data cannot be read or used
    4   no instrument gave a score
    5   stopped before the end; the same command goes on from there
    70  an internal check failed: a bug, please report it
    130 interrupted twice
  
  `tare help COMMAND` says more, `tare demo` shows an audit.
  $ tare --help | cmp - <(tare help)
  $ tare -h | cmp - <(tare help)
  $ tare help version
  tare version: print the version
  
  usage: tare version [OPTIONS]
  
  Prints one line: the name and the version.
  
  Common options
        --threads N         threads to work with, 0: one per core; the results do
                            not depend on it [default: 0]
        --colour WHEN       colour in the summary; auto: on a terminal, unless
                            NO_COLOR is set [auto|always|never] [default: auto]
    -q, --quiet             no progress and no warnings
    -v, --verbose           say what is being done
    -h, --help              show the help of the command
  
  Examples
    tare version
  $ tare help audit | head -n 3
  tare audit: find out what a scorer prefers, and what of it is the scorer's own
  
  usage: tare audit [OPTIONS] PHOTOS/ | RUN/ | scores.csv
  $ tare audit -h | cmp - <(tare help audit)
  $ tare help perturb | head -n 3
  tare perturb: make dose series of photographs and keep them as files
  
  usage: tare perturb [OPTIONS] PHOTOS/
  $ tare help score | head -n 3
  tare score: score photographs, or the variants of tare perturb
  
  usage: tare score [OPTIONS] PHOTOS/ | variants.tsv
  $ tare help report
  tare report: write the report of a finished run again
  
  usage: tare report [OPTIONS] RUN/
  
  Computes the readings of a run folder again from the scores that are stored in
  it and writes readings, tables, figures and report.html. A finished run needs no
  photographs for that; one that was stopped is finished first.
  
  Output
    -o, --output FOLDER     write the report here instead of into the run folder
  
  Common options
        --threads N         threads to work with, 0: one per core; the results do
                            not depend on it [default: 0]
        --colour WHEN       colour in the summary; auto: on a terminal, unless
                            NO_COLOR is set [auto|always|never] [default: auto]
    -q, --quiet             no progress and no warnings
    -v, --verbose           say what is being done
    -h, --help              show the help of the command
  
  Examples
    tare report out/
    tare report out/ -o second/
  $ tare help --json | python3 -m json.tool | head -n 4
  {
      "version": "0.1.0",
      "commands": [
          {
  $ tare help --json audti
  tare: there is no command audti; did you mean audit? (see: tare help)
  [2]
  $ tare help --json version | grep -c summary.*print.the.version
  1
  $ tare help --json version | grep -c summary.*audit
  0
  [1]

Manual pages:

  $ tare help --man version | head -n 12
  .TH TARE-VERSION 1 "" "tare 0.1.0" "tare manual"
  .SH NAME
  tare\-version \- print the version
  .SH SYNOPSIS
  \fBtare version\fR [\fIOPTIONS\fR]
  .SH DESCRIPTION
  Prints one line: the name and the version.
  .SH OPTIONS
  .SS Common options
  .TP
  \fB\-\-threads\fR \fIN\fR
  threads to work with, 0: one per core; the results do not depend on it. Default: 0.
  $ mkdir pages && tare help --pages pages && ls pages
  tare-agree.1
  tare-audit.1
  tare-compare.1
  tare-completion.1
  tare-demo.1
  tare-doctor.1
  tare-help.1
  tare-matrix.1
  tare-panel.1
  tare-perturb.1
  tare-power.1
  tare-report.1
  tare-score.1
  tare-scorer.1
  tare-validate.1
  tare-version.1
  tare.1
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
