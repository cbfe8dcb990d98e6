Judges and people, from the file to the report. The table is the toy of tests/ref/agree_reference.py,
where its numbers come from.

  $ cp $SOURCE/tests/data/agree_toy.csv $SOURCE/tests/data/agree_pairs.csv .
  $ tare agree agree_toy.csv --judges even,fine --raters h1,h2,h3 --scale same --boot-b 499 -o out >summary.txt
  $ python3 readings.py out tau_b kappa "ICC(2,k)" signed_difference
  $ ls out/tables
  $ head -n 1 summary.txt

The same bytes for any number of threads and any order of rows:

  $ for n in 1 2 8; do tare agree -q --threads $n agree_toy.csv --judges even,fine --raters h1,h2,h3 --boot-b 499 -o t$n >/dev/null; done
  $ for n in 2 8; do for f in readings.json readings.tsv report.html tables/ceiling.tsv; do cmp t1/$f t$n/$f; done; done
  $ (head -n 1 agree_toy.csv; tail -n +2 agree_toy.csv | sort -r) >shuffled.csv; mkdir s; mv shuffled.csv s/agree_toy.csv
  $ (cd s && tare agree -q agree_toy.csv --judges even,fine --raters h1,h2,h3 --boot-b 499 -o ../t9 >/dev/null); for f in readings.json readings.tsv; do cmp t1/$f t9/$f; done

Pairs of candidates:

  $ tare agree agree_pairs.csv --protocol pascal50s -q -o pairs >/dev/null
  $ python3 readings.py pairs accuracy tie_rate
  $ cat pairs/tables/pair-counts.tsv

Numbers of different protocols do not stand in one table, and a protocol knows its gold:

  $ tare agree agree_toy.csv --protocol composite --protocol nebula
  $ tare agree agree_toy.csv --judges even --raters h1,h2,h3 --protocol flickr8k-expert-rows
  $ tare agree agree_toy.csv --judges even --gold h1 --protocol polaris
  $ tare agree agree_pairs.csv --protocol pascal50s --raters h1
  $ cut -d, -f1-4 agree_toy.csv >bare.csv; tare agree bare.csv --judges even,fine
