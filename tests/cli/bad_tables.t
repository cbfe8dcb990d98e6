Tables that cannot be used: each is refused with the place, or leaves named reasons behind.

  $ printf '' >empty.csv; tare audit empty.csv
  [3]
  $ printf 'base,dose,scorer,score\n' >head.csv; tare audit head.csv
  [3]
  $ printf 'base,dose,score\nb,0,1\n' >missing.csv; tare audit missing.csv
  [3]
  $ printf 'base,dose,scorer,score\nb,zero,s,1\n' >word.csv; tare audit word.csv
  [3]
  $ printf 'base,dose,scorer,score\nb,0,s,1\nb,0,s,2\n' >twice.csv; tare audit twice.csv
  [3]
  $ printf 'base,dose,scorer,score\nb,0,s,1,9\n' >wide.csv; tare audit wide.csv
  [3]
  $ printf 'base,dose,scorer,score\n"b,0,s,1\n' >quote.csv; tare audit quote.csv
  [3]
  $ head -c 300 /dev/urandom >noise.csv; tare audit noise.csv >/dev/null 2>&1
  [3]
  $ mkdir folder; tare audit folder
  [3]

A score that is not a number, a base without the neutral dose, one base only: reasons, no failure.

  $ sed 's/^b2,5,toy,[^,]*/b2,5,toy,nan/' scores.csv >nan.csv; tare audit nan.csv
  $ grep -v '^b3,0,' scores.csv >no_neutral.csv; tare audit no_neutral.csv
  $ grep -e '^base' -e '^b1' scores.csv >one.csv; tare audit one.csv
  $ sed 's/,toy,[^,]*/,toy,1/' scores.csv >tied.csv; tare audit tied.csv
  $ sed 's/,toy,[^,]*/,toy,/' scores.csv >none.csv; tare audit none.csv
