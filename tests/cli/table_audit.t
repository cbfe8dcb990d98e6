A score table, from the file to the report. The numbers are those of the scorer audit, section 15.5.

  $ python3 make_toy.py | cmp - scores.csv
  $ sh used.sh audit scores.csv
  Does toy prefer one side of the edit?
  no answer
  $ tare audit scores.csv -o out >summary.txt
  report: out/report.html
  $ ls out
  figures
  readings.json
  readings.tsv
  report.html
  tables
  tare.log
  $ python3 readings.py out FI A net_drift
  fidelity table toy FI all doses 0.108333333 inconclusive
  fidelity table toy A all doses -0.283333333 inconclusive
  fidelity table toy FI extreme doses 0.158333333 descriptive
  fidelity table toy A extreme doses -0.283333333 descriptive
  bestofn table toy net_drift attribute -4.268571429 inconclusive
  bestofn table toy net_drift dose -2.119047619 inconclusive
  robust table toy FI clip-bounded -0.250000000 no answer too_few_clusters
  robust table toy A clip-bounded -0.900000000 no answer too_few_clusters
  robust table toy net_drift clip-bounded none no answer too_few_clusters
  $ tare audit -q scores.csv | cmp - summary.txt

From a pipe, too; its bytes are the table's and not the log's:

  $ mkfifo pipe; cat scores.csv >pipe & timeout 100 tare audit -q pipe -o piped | cmp - summary.txt; grep -c pipe piped/tare.log
  0
  [1]
  $ cat scores.csv | tare audit -q - | cmp - summary.txt

The same bytes for any number of threads and any order of rows:

  $ for n in 1 2 3 8; do tare audit -q --threads $n scores.csv -o t$n >/dev/null; done
  $ for n in 2 3 8; do for f in readings.json readings.tsv report.html; do cmp t1/$f t$n/$f; done; done
  $ (head -n 1 scores.csv; tail -n +2 scores.csv | sort -r) >shuffled.csv; mkdir s; mv shuffled.csv s/scores.csv
  $ (cd s && tare audit -q scores.csv -o ../t9 >/dev/null); for f in readings.json readings.tsv; do cmp t1/$f t9/$f; done
