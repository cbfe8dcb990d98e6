Tables that cannot be used: each is refused with the place, or leaves named reasons behind.

  $ printf '' >empty.csv; tare audit empty.csv
  tare audit: empty.csv: empty: a header line is needed [table.empty]
  [3]
  $ printf 'base,dose,scorer,score\n' >head.csv; tare audit head.csv
  tare audit: head.csv: the table has no rows [table.no_rows]
  [3]
  $ printf 'base,dose,scorer\nb,0,s\n' >missing.csv; tare audit missing.csv
  tare audit: missing.csv:1: no column for score; say which with --score COLUMN; did you mean scorer? Columns: base, dose, scorer [table.no_role]
  [3]
  $ printf 'base,dose,scorer,score\nb,zero,s,1\n' >word.csv; tare audit word.csv
  tare audit: word.csv:2:3: dose is not a number; leave the field empty where there is none [table.number]
  [3]
  $ printf 'base,dose,scorer,score\nb,0,s,1\nb,0,s,2\n' >twice.csv; tare audit twice.csv
  tare audit: twice.csv:3: lines 2 and 3 have the same arm, base, dose, scorer, but other values [table.duplicate_key]
  [3]
  $ printf 'base,dose,scorer,score\nb,0,s,1,9\n' >wide.csv; tare audit wide.csv
  tare audit: wide.csv:2:8: this row has more than 4 fields, the header has 4 (the delimiter is taken to be the comma) [table.ragged]
  [3]
  $ printf 'base,dose,scorer,score\n"b,0,s,1\n' >quote.csv; tare audit quote.csv
  tare audit: quote.csv:2:1: this quote is never closed [table.quote]
  [3]
  $ head -c 300 /dev/urandom >noise.csv; tare audit noise.csv >/dev/null 2>&1
  [3]
  $ mkdir folder; tare audit folder
  tare audit: say where the run goes: -o DIR (see: tare help audit)
  [2]

A score that is not a number, a base without the neutral dose, one base only: reasons, no failure.

  $ sed 's/^b2,5,toy,[^,]*/b2,5,toy,nan/' scores.csv >nan.csv; sh used.sh audit nan.csv
  Does toy prefer one side of the edit?
  no answer: fewer than 6 independent clusters.
  Not used
    1 of 2 bases: missing (table, toy, g1)
  $ grep -v '^b3,0,' scores.csv >no_neutral.csv; sh used.sh audit no_neutral.csv
  Does toy prefer one side of the edit?
  no answer: fewer than 6 independent clusters.
  Not used
    1 of 2 bases: no neutral (table, g2)
  $ grep -e '^base' -e '^b1' scores.csv >one.csv; sh used.sh audit one.csv
  Does toy prefer one side of the edit?
  no answer: fewer than 6 independent clusters.
  $ sed 's/,toy,[^,]*/,toy,1/' scores.csv >tied.csv; sh used.sh audit tied.csv
  Does toy prefer one side of the edit?
  no answer: the values do not vary.
  $ sed 's/,toy,[^,]*/,toy,/' scores.csv >none.csv; sh used.sh audit none.csv
  tare audit: none.csv: no row has a score: every one is empty, not finite, or has a status [scorer.silent]
  [4]
