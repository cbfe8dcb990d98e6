Panels of judges, from the table to the report.

  $ python3 make_judges.py | awk -F, 'NR == 1 {print $0 ",truth"; next} {print $0 "," (substr($1, 2) * 7 + substr($2, 2) * 3) % 5}' >judges.csv
  $ tare panel -q judges.csv --gold truth --search -o out >summary.txt; head -n 1 summary.txt
  Does a panel of judges help?
  $ ls out out/tables out/figures
  out:
  figures
  readings.json
  readings.tsv
  report.html
  tables
  tare.log
  
  out/figures:
  errors.vl.json
  front.vl.json
  vector.vl.json
  
  out/tables:
  errors.tsv
  folds.tsv
  front.tsv
  members.tsv
  panels.tsv
  vector.tsv
  $ cut -f3,5,6,8 out/tables/panels.tsv
  panel	size	source	n_rows
  all judges	4	all	160
  m0	1	search: best agreement	160
  m0+m3	2	search: least bias	160
  $ cut -f3,4 out/tables/folds.tsv | sort -u | wc -l
  16
  $ tare panel -q judges.csv --gold truth --search | cmp - summary.txt

The same bytes for any number of threads, and for any order of rows:

  $ for n in 1 2 8; do tare panel -q --threads $n judges.csv --gold truth --search -o t$n >/dev/null; done
  $ for n in 1 8; do diff -r -x tare.log t2 t$n; done
  $ mkdir s; (head -n 1 judges.csv; tail -n +2 judges.csv | sort -t, -k4) >s/judges.csv; (cd s; tare panel -q judges.csv --gold truth --search -o ../m >/dev/null); diff -r -x tare.log t2 m

Panels of one's own, with and without a name; one judge at a time, as tables of papers add them.

  $ tare panel -q judges.csv --gold truth --panel pair=m0,m3 --panel m1,m2 --sequence m3,m1,m0 -o named >/dev/null
  $ cut -f3,4,6 named/tables/panels.tsv
  panel	members	source
  pair	m0+m3	named
  m1+m2	m1+m2	named
  m3	m3	sequence
  m3+m1	m1+m3	sequence
  m3+m1+m0	m0+m1+m3	sequence
  $ cut -f3,4,11 named/tables/sequence.tsv
  judges	added	author
  1	m3	m3
  2	m1	m1
  2	m1	m3
  3	m0	m0
  3	m0	m1
  3	m0	m3
