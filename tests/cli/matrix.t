A matrix of judges, from the table to the report.

  $ python3 make_judges.py >judges.csv; tare matrix -q judges.csv -o out >summary.txt; head -n 3 summary.txt
  Do these judges favour texts by their own model?
  
  1 of 4 judges favours texts by its own model, in score units and on its own
  $ ls out out/tables out/figures
  out:
  figures
  readings.json
  readings.tsv
  report.html
  tables
  tare.log
  
  out/figures:
  own-peers.vl.json
  phi-tilde.vl.json
  phi.vl.json
  self.vl.json
  
  out/tables:
  cells.tsv
  judges.tsv
  regression.tsv
  self.tsv
  $ cut -f3,4,7 out/tables/self.tsv
  judge	verdict	D
  m0	inconclusive	0.09166638888888991
  m1	found	1.0027778333333333
  m2	inconclusive	0.09166638888888871
  m3	inconclusive	0.09166650000000014
  $ tare matrix -q judges.csv | cmp - summary.txt

The same bytes for any number of threads, from standard input, compressed, and for any order of rows:

  $ for n in 1 2 3 8; do tare matrix -q --threads $n judges.csv -o t$n >/dev/null; done
  $ for n in 1 3 8; do diff -r -x tare.log t2 t$n; done
  $ (head -n 1 judges.csv; tail -n +2 judges.csv | sort -t, -k4) >mixed.csv; tare matrix -q mixed.csv -o m >/dev/null; diff -r -x tare.log t2 m
  $ gzip -k judges.csv; tare matrix -q judges.csv.gz -o z >/dev/null; diff -r -x tare.log t2 z
  $ tare matrix -q - <judges.csv | cmp - summary.txt

Families come from a roster; cell means have no test.

  $ printf 'id,family\nm0,a\nm1,a\nm2,b\nm3,b\n' >models.csv; tare matrix -q judges.csv --roster models.csv -o r >/dev/null; ls r/tables
  assignment.tsv
  block_cells.tsv
  blocks.tsv
  cells.tsv
  judges.tsv
  regression.tsv
  self.tsv
  $ tare matrix -q judges.csv --exclude family
  tare matrix: --exclude: families come from a roster: give one with --roster FILE (see: tare help matrix)
  [2]
  $ cut -f3,4,7 out/tables/cells.tsv | sed '1s/.*/author	judge	mean/' >cells.tsv; tare matrix -q cells.tsv --cells-from author,judge,mean | sed -n 3p
  4 authors x 4 judges from cell means: without items nothing can be tested; the
