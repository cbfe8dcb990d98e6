Tables of judges that cannot be used, or only in part.

A judge that scored nothing is left out and named; a constant one says nothing.

  $ python3 make_judges.py silent >silent.csv; tare matrix -q silent.csv | grep -A 1 'no score at all'
    ! Judge m3 has no score at all: 160 rows, of which 160 refused. Nothing is
      said about it, and the missingness audit leaves it out.
  $ python3 make_judges.py constant >constant.csv; tare matrix -q constant.csv | grep -A 1 'same mean'
    ! these judges gave every author the same mean, which says nothing: m3.

One generator; no judge that writes; too few complete items.

  $ python3 make_judges.py one-author >one.csv; tare matrix -q one.csv
  tare matrix: every score is of texts by one author, m0: whether judges favour their own model needs texts of at least two authors (generators) on the same items [matrix.authors]
  [3]
  $ python3 make_judges.py no-self >other.csv; tare matrix -q other.csv | sed -n 3,4p
  No judge is also an author, so no preference for the own model can be measured;
  if names differ, a roster with aliases says who is who (--roster).
  $ python3 make_judges.py sparse >sparse.csv; tare matrix -q sparse.csv
  tare matrix: only 10 of 40 items have a score in every cell (at least 30 and half of them are needed); without the judge m3 it would be 40: use --without "m3", or --cells available [matrix.sparse]
  [3]
  $ tare matrix -q sparse.csv --without m3 | head -n 1
  Do these judges favour texts by their own model?
  $ tare matrix -q sparse.csv --without m9
  tare matrix: --without: no judge and no author is called "m9"; did you mean "m0"? (see: tare help matrix)
  [2]

Rows that disagree, names that differ by case or blanks, words and numbers that are no scores, a
delimiter that changes.

  $ python3 make_judges.py disagree >twice.csv; tare matrix -q twice.csv
  tare matrix: twice.csv:66:11: lines 65 and 66 are of one item, author and judge, with other scores or statuses: if they are repeats, name their column with --rep; if they are of several settings or dimensions, with --setting or --dim [score.duplicate]
  [3]
  $ python3 make_judges.py case >case.csv; tare matrix case.csv 2>&1 | head -n 2
  warning: "M2" and "m2" differ by letter case, blanks or '-', '_', '.' only, and are read as two models; if they are one, make one the alias of the other in a roster (--roster).
  warning: "m2" and "m2 " differ by letter case, blanks or '-', '_', '.' only, and are read as two models; if they are one, make one the alias of the other in a roster (--roster).
  $ python3 make_judges.py words >words.csv; tare matrix -q words.csv
  tare matrix: words.csv:124:11: the score "good" is no number. Where there is no score say why in a status column (ok, unparsed, refused, blocked, truncated, empty, error, absent, out_of_range, no_marker, missing, timeout); tare agree and tare panel read text labels with --labels [score.text]
  [3]
  $ python3 make_judges.py huge >huge.csv; tare matrix -q huge.csv | sed -n 3p
  Nothing can be said about a preference of judges for their own model.
  $ python3 make_judges.py mixed >mixed.csv; tare matrix -q mixed.csv
  tare matrix: mixed.csv:82:19: this row has only 1 field, the header has 5 (the delimiter is taken to be the comma) [table.ragged]
  [3]
  $ tare matrix
  tare matrix: give one table of scores; 0 were given (see: tare help matrix)
  [2]
  $ tare matrix judges.csv --cells some
  tare matrix: --cells: "some" is not one of balanced|available (see: tare help matrix)
  [2]
  $ tare matrix judges.csv --cells balanced --cells-from author,judge,score
  tare matrix: --cells: --cells-from reads cell means: there are no items to choose (see: tare help matrix)
  [2]
