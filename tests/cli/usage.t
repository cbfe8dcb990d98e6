What is wrong with a command line is said in one line, with what to do; the exit code is 2.

  $ tare audti
  tare: there is no command audti; did you mean audit? (see: tare help)
  [2]
  $ tare qqqqqq
  tare: there is no command qqqqqq (see: tare help)
  [2]
  $ tare 2>&1 | head -n 3
  tare finds out whether a learned scorer or judge can be trusted.
  
  usage: tare COMMAND [OPTIONS] [INPUTS]
  $ tare >/dev/null 2>&1
  [2]
  $ tare audit --scorrer x
  tare audit: there is no option --scorrer; did you mean --scorer? (see: tare help audit)
  [2]
  $ tare audit --scorer
  tare audit: --scorer needs a value: --scorer SPEC (see: tare help audit)
  [2]
  $ tare audit -z
  tare audit: there is no option -z (see: tare help audit)
  [2]
  $ tare audit -o
  tare audit: -o needs a value: -o DIR (see: tare help audit)
  [2]
  $ tare audit --threads many x.csv
  tare audit: --threads needs a whole number, not "many" (see: tare help audit)
  [2]
  $ tare audit --threads 5000 x.csv
  tare audit: --threads goes from 0 to 1024; 5000 is outside (see: tare help audit)
  [2]
  $ tare audit --seed 1.5 x.csv
  tare audit: --seed: "1.5" is not a whole number (see: tare help audit)
  [2]
  $ tare audit --seed -1 x.csv
  tare audit: --seed: -1 is not within 0 to 9.0072e+15 (see: tare help audit)
  [2]
  $ tare audit --feather-mode colour x.csv
  tare audit: --feather-mode: "colour" is not one of lab|rgb (see: tare help audit)
  [2]
  $ tare audit --axis colour x.csv
  tare audit: axis: this option is for photographs; the input is a table (see: tare help audit)
  [2]
  $ mkdir photos; tare audit --axis colour photos -o out
  tare audit: colour: --axis colour: there is no such axis; there are: skin, ... (see: tare help audit)
  [2]
  $ tare audit --colour=blue x.csv
  tare audit: --colour is one of auto|always|never, not "blue" (see: tare help audit)
  [2]
  $ tare audit --quiet=perhaps x.csv
  tare audit: --quiet is yes or no, not "perhaps" (see: tare help audit)
  [2]
  $ tare audit
  tare audit: give one folder of photographs, one run folder or one score table; 0 were given (see: tare help audit)
  [2]
  $ tare audit no-such-file.csv
  tare audit: no-such-file.csv: cannot open: No such file or directory [io.open]
  [3]
  $ tare audit -- --no-such-file.csv
  tare audit: --no-such-file.csv: cannot open: No such file or directory [io.open]
  [3]
  $ tare report
  tare report: which run folder? (see: tare help report)
  [2]
  $ tare report a b
  tare report: "b" is one input too many (see: tare help report)
  [2]
  $ mkdir empty; tare report empty
  tare report: empty: not a run folder: it holds no run.sqlite (a report on a score table is made again by tare audit)
  [3]
  $ tare completion
  tare completion: for which shell? (see: tare help completion)
  [2]
  $ tare completion csh
  tare completion: bash, zsh and fish are known, not csh (see: tare help completion)
  [2]
  $ tare help adit
  tare: there is no command adit; did you mean audit? (see: tare help)
  [2]
  $ tare demo no-such-folder -o out
  tare demo: no-such-folder: No such file or directory
  [3]
  $ tare demo
  tare demo: there are no demo photographs here; run `make demo` in the source folder, or name a folder of portraits: tare demo FOLDER
  [3]
