Two score tables, or two finished runs, beside each other.

  $ python3 make_sides.py made.csv m 0.4; python3 make_sides.py taken.csv t -0.06
  $ tare compare made.csv taken.csv -o out >summary.txt
  report: out/report.html
  $ head -n 1 summary.txt
  Does what holds in made hold in taken?
  $ grep -A 3 'Transfer' summary.txt
  - Transfer from made/table to taken/table: 1 of 6 cells are confirmed (1
    reversal); counted over these, effects in made/table do not transfer to
    taken/table (0 of 1 keep their sign).
  
  $ ls out/figures | grep transfer
  transfer-arms.vl.json
  transfer.vl.json
  $ cut -f 1-5,11,17-20,26 out/tables/transfer.tsv
  scorer	operator	reading	unit	reference	compared	ratio	class	confirmed	compared_words	grid
  keeps		FI	score	made/table	taken/table		null		equivalent to 0	v
  keeps		A	score	made/table	taken/table	1	unchanged			v
  keeps		net drift (dose)	dose	made/table	taken/table		no answer			v
  turns		FI	score	made/table	taken/table		null		equivalent to 0	v
  turns		A	score	made/table	taken/table	0.15	reversal	confirmed		v
  turns		net drift (dose)	dose	made/table	taken/table		no answer			v
  $ python3 readings.py out A_difference FI_difference net_drift_dose_difference
  transfer taken/table keeps FI_difference taken/table - made/table 0.000000000 negligible
  transfer taken/table keeps A_difference taken/table - made/table 0.000000000 inconclusive
  transfer taken/table keeps net_drift_dose_difference taken/table - made/table none no answer not_run
  transfer taken/table turns FI_difference taken/table - made/table 0.000000000 negligible
  transfer taken/table turns A_difference taken/table - made/table -0.920000000 found
  transfer taken/table turns net_drift_dose_difference taken/table - made/table none no answer not_run

The same bytes for any number of threads; labels are free, and swapped the difference turns:

  $ for n in 1 3; do tare compare -q --threads $n made.csv taken.csv -o t$n >/dev/null; done
  $ for f in readings.json readings.tsv report.html tables/transfer.tsv figures/transfer.vl.json; do cmp t1/$f t3/$f; cmp t1/$f out/$f; done
  $ tare compare -q taken.csv made.csv --label-a photographs --label-b drawings -o back >/dev/null
  $ cut -f 1-3,5,11,17-19 back/tables/transfer.tsv
  scorer	operator	reading	reference	compared	ratio	class	confirmed
  keeps		FI	photographs/table	drawings/table		null	
  keeps		A	photographs/table	drawings/table	1	unchanged	
  keeps		net drift (dose)	photographs/table	drawings/table		no answer	
  turns		FI	photographs/table	drawings/table		null	
  turns		A	photographs/table	drawings/table	6.666666666666667	reversal	confirmed
  turns		net drift (dose)	photographs/table	drawings/table		no answer	
  $ python3 readings.py back A_difference
  transfer drawings/table keeps A_difference drawings/table - photographs/table 0.000000000 inconclusive
  transfer drawings/table turns A_difference drawings/table - photographs/table 0.920000000 found

The same bases, scored before and after: paired if it is said.

  $ python3 make_sides.py before.csv b 0.5; python3 make_sides.py after.csv b 0.4
  $ tare compare -q before.csv after.csv | grep -o 'They are taken.*'
  They are taken for other
  $ tare compare -q before.csv after.csv --paired yes -o paired >/dev/null
  $ python3 readings.py paired A_difference
  transfer after/table keeps A_difference after/table - before/table 0.000000000 negligible
  transfer after/table turns A_difference after/table - before/table -0.200000000 found
  $ tare compare made.csv taken.csv --paired yes
  tare compare: no base of taken is in made by its name, so there is nothing to pair [compare.paired]
  [3]

Runs on photographs; a run knows its instruments, and needs no photograph any more.

  $ python3 make_photos.py photos portrait-0 portrait-1 portrait-2 portrait-3 portrait-4 portrait-5 portrait-6
  $ tare audit -q photos --scorer planted:dose=1 --boot-b 99 --perm-p 99 -o one >/dev/null
  $ tare audit -q photos --scorer planted:dose=1 --boot-b 99 --perm-p 99 -o two >/dev/null
  $ rm -r photos
  $ tare compare -q one two --boot-b 99 --perm-p 99 -o runs >/dev/null
  $ cut -f 1-3,5,11,17-19,36 runs/tables/transfer.tsv
  scorer	operator	reading	reference	compared	ratio	class	confirmed	marks
  planted:dose=1	skin	FI	one/skin	two/skin		null		paired
  planted:dose=1	skin	A	one/skin	two/skin	1	unchanged		paired
  planted:dose=1	skin	net drift (ITA)	one/skin	two/skin	1	unchanged		paired
  planted:dose=1	skin	net drift (dose)	one/skin	two/skin	1	unchanged		paired

What cannot be compared:

  $ tare compare made.csv
  tare compare: give two run folders, two score tables, or one of each; 1 was given (see: tare help compare)
  [2]
  $ tare compare one one/
  tare compare: one/: both inputs are the same: nothing to compare (see: tare help compare)
  [2]
  $ tare compare one nowhere
  tare compare: nowhere: cannot open: No such file or directory [io.open]
  [3]
  $ mkdir empty; tare compare one empty
  tare compare: empty: this folder is no run: make one with tare audit PHOTOS/ --scorer SPEC -o DIR, or give a score table [input.no_run]
  [3]
  $ tare compare one two -o two
  tare compare: two: this folder holds a run on photographs: its report would be lost; use another (see: tare help compare)
  [2]
  $ tare compare one two --score s
  tare compare: score: this option is for score tables; both inputs are runs (see: tare help compare)
  [2]
  $ tare compare one made.csv
  tare compare: no scorer has one name on both sides: one has planted:dose=1; made has keeps, turns; a score table can call them alike [compare.scorers]
  [3]
  $ tare compare made.csv taken.csv --label-a x --label-b x
  tare compare: x: both sides have this name: give --label-a and --label-b (see: tare help compare)
  [2]
  $ tare compare made.csv taken.csv --label-a x/y
  tare compare: x/y: a label stands before '/' in the names of arms and has none itself (see: tare help compare)
  [2]
  $ printf 'base,dose,scorer,score\nb,0,turns,\nb,1,turns,\n' >silent.csv; tare compare made.csv silent.csv
  tare compare: silent.csv: no row has a score: every one is empty, not finite, or has a status [scorer.silent]
  [4]
