A score table, from the file to the report. The numbers are those of the scorer audit, section 15.5.

  $ python3 make_toy.py | cmp - scores.csv
  $ tare audit scores.csv
  $ tare audit scores.csv -o out >summary.txt
  report: out/report.html
  $ ls out
  $ python3 readings.py out FI A net_drift
  $ tare audit scores.csv | cmp - summary.txt

The same bytes for any number of threads and any order of rows:

  $ for n in 1 2 3 8; do tare audit -q --threads $n scores.csv -o t$n >/dev/null; done
  $ for n in 2 3 8; do for f in readings.json readings.tsv report.html; do cmp t1/$f t$n/$f; done; done
  $ (head -n 1 scores.csv; tail -n +2 scores.csv | sort -r) >shuffled.csv; mkdir s; mv shuffled.csv s/scores.csv
  $ (cd s && tare audit -q scores.csv -o ../t9 >/dev/null); for f in readings.json readings.tsv; do cmp t1/$f t9/$f; done
