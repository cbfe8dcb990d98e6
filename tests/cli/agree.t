Judges and people, from the file to the report. The table is the toy of tests/ref/agree_reference.py,
where its numbers come from.

  $ cp $SOURCE/tests/data/agree_toy.csv $SOURCE/tests/data/agree_pairs.csv .
  $ tare agree agree_toy.csv --judges even,fine --raters h1,h2,h3 --scale same --boot-b 499 -o out >summary.txt
  report: out/report.html
  $ python3 readings.py out tau_b kappa "ICC(2,k)" leniency
  agreement even tau_b 0.765314632 found
  agreement fine tau_b 0.815262580 found
  ceiling people tau_b pairs of raters, mean 0.736542708 descriptive
  ceiling people tau_b rater against the others, mean 0.744791952 descriptive
  ceiling people tau_b h1 against the others 0.736927153 descriptive
  ceiling people tau_b h2 against the others 0.704349562 descriptive
  ceiling people tau_b h3 against the others 0.793099142 descriptive
  ceiling people tau_b h1 and h2 0.666867000 descriptive
  ceiling people tau_b h1 and h3 0.808173105 descriptive
  ceiling people tau_b h2 and h3 0.734588020 descriptive
  ceiling even tau_b matched to people 0.766522603 descriptive
  ceiling fine tau_b matched to people 0.800634185 descriptive
  categories even kappa mean over raters 0.534514692 descriptive
  leniency even leniency -0.152777778 inconclusive
  categories fine kappa mean over raters none no answer other_grid
  leniency fine leniency -0.140277778 inconclusive
  categories people kappa mean over pairs of raters 0.405756397 descriptive
  reliability people ICC(2,k) raters 0.918957012 descriptive
  reliability even ICC(2,k) judge and raters 0.945431756 descriptive
  reliability fine ICC(2,k) judge and raters 0.948744198 descriptive
  $ ls out/tables
  agreement.tsv
  categories.tsv
  ceiling.tsv
  confusion.tsv
  leniency.tsv
  missing.tsv
  pairs.tsv
  reliability.tsv
  $ head -n 1 summary.txt
  How closely do 2 judges follow people?

The same bytes for any number of threads and any order of rows:

  $ for n in 1 2 8; do tare agree -q --threads $n agree_toy.csv --judges even,fine --raters h1,h2,h3 --boot-b 499 -o t$n >/dev/null; done
  $ for n in 2 8; do for f in readings.json readings.tsv report.html tables/ceiling.tsv; do cmp t1/$f t$n/$f; done; done
  $ (head -n 1 agree_toy.csv; tail -n +2 agree_toy.csv | sort -r) >shuffled.csv; mkdir s; mv shuffled.csv s/agree_toy.csv
  $ (cd s && tare agree -q agree_toy.csv --judges even,fine --raters h1,h2,h3 --boot-b 499 -o ../t9 >/dev/null); for f in readings.json readings.tsv; do cmp t1/$f t9/$f; done

Pairs of candidates:

  $ tare agree agree_pairs.csv --protocol pascal50s -q -o pairs >/dev/null
  $ python3 readings.py pairs accuracy tie_rate
  accuracy toy accuracy HC, ties loss 0.433333333 descriptive
  accuracy toy accuracy MM, ties loss 0.733333333 descriptive
  accuracy toy accuracy mean, ties loss 0.583333333 descriptive
  accuracy toy accuracy HC, ties half 0.533333333 descriptive
  accuracy toy accuracy MM, ties half 0.766666667 descriptive
  accuracy toy accuracy mean, ties half 0.650000000 descriptive
  accuracy toy accuracy HC, ties drop 0.541666667 descriptive
  accuracy toy accuracy MM, ties drop 0.785714286 descriptive
  accuracy toy accuracy mean, ties drop 0.663690476 descriptive
  accuracy toy tie_rate HC 0.200000000 descriptive
  accuracy toy tie_rate MM 0.066666667 descriptive
  accuracy toy tie_rate mean 0.133333333 descriptive
  $ cat pairs/tables/pair-counts.tsv
  judge	category	pairs	right	tied	accuracy_loss	accuracy_half	accuracy_drop	tie_rate
  toy	HC	30	13	6	0.43333333333333335	0.5333333333333333	0.5416666666666666	0.2
  toy	MM	30	22	2	0.7333333333333333	0.7666666666666667	0.7857142857142857	0.06666666666666667

Numbers of different protocols do not stand in one table, and a protocol knows its gold:

  $ tare agree agree_toy.csv --protocol composite --protocol nebula
  tare agree: --protocol: numbers of different protocols do not belong in one table: run them apart (see: tare help agree)
  [2]
  $ tare agree agree_toy.csv --judges even --raters h1,h2,h3 --protocol flickr8k-expert-rows
  tare agree: i05: protocol flickr8k-expert-rows: a human score of 5; it must lie between 1 and 4 [agree.range]
  [3]
  $ tare agree agree_toy.csv --judges even --gold h1 --protocol polaris
  tare agree: i00: protocol polaris: a human score of 2; it must lie between 0 and 1 [agree.range]
  [3]
  $ tare agree agree_pairs.csv --protocol pascal50s --raters h1
  tare agree: raters: this option is for rows with one score, not for pairs (see: tare help agree)
  [2]
  $ cut -d, -f1-4 agree_toy.csv >bare.csv; tare agree bare.csv --judges even,fine
  tare agree: no human scores: name a column (--gold COLUMN), the raters' columns (--raters h1,h2,h3) or a file of ratings (--human FILE) [agree.no_human]
  [3]
