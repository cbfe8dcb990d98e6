Panels that cannot be made, and tables that say nothing about them.

  $ python3 make_judges.py | awk -F, 'NR == 1 {print $0 ",truth"; next} {print $0 "," (substr($1, 2) * 7 + substr($2, 2) * 3) % 5}' >judges.csv
  $ cut -d, -f1-5 judges.csv >plain.csv; tare panel -q plain.csv
  tare panel: no human or true score to agree with: name a column (--gold COLUMN) or a file of ratings (--human FILE). A consensus of the same judges is no substitute: it would make their errors look independent [panel.no_gold]
  [3]
  $ tare panel -q judges.csv --gold truth --panel m0,m9
  tare panel: --panel: "m9" is no judge of the table: did you mean m0? (see: tare help panel)
  [2]
  $ tare panel -q judges.csv --gold truth --panel m0,m0
  tare panel: --panel: judge m0 is named twice (see: tare help panel)
  [2]
  $ tare panel -q judges.csv --gold truth --aggregate medain
  tare panel: --aggregate: "medain" is no rule: did you mean median?; rules: mean, zmean, median, trim:SHARE, max, min, majority, any, all, geomedian, lmc (see: tare help panel)
  [2]
  $ tare panel -q judges.csv --gold truth --aggregate any
  tare panel: i00: judge m0 gave 3.23057: any combines votes of 0 and 1 [panel.binary]
  [3]
  $ tare panel -q judges.csv --gold truth --agree accuracy
  tare panel: --agree: accuracy compares labels, and the scores have 645 values (at most 100): use tau_b, pearson or spearman [panel.labels]
  [3]
  $ tare panel -q judges.csv --gold truth --folds 3 --holdout 0.5 --search
  tare panel: --folds, --folds-by and --holdout exclude each other (see: tare help panel)
  [2]
  $ tare panel -q judges.csv --gold truth --human people.csv
  tare panel: --human: gold comes from a file of ratings (--human) or from a column (--gold), not from both (see: tare help panel)
  [2]
  $ sed 's/,[0-9]$/,1/' judges.csv >constant.csv; tare panel -q constant.csv --gold truth
  tare panel: the gold score is 1 in all 160 rows: nothing can agree or disagree with a constant [panel.constant_gold]
  [3]
  $ printf 'item,author,rater,rating\ni00,m0,m1,3\ni01,m0,m1,2\n' >people.csv; tare panel -q plain.csv --human people.csv
  tare panel: --human: rater m1 is judge m1, a member of a panel: a panel cannot be compared with itself [panel.gold_from_member]
  [3]
  $ tare panel -q judges.csv --gold truth --panel pair=m0,m1 --members 3
  tare panel: --members: 3 scores are asked for, and pair has 2 judges (see: tare help panel)
  [2]
  $ tare panel -q judges.csv --gold truth --panel pair=m0,m1 --panel twin=m1,m0
  tare panel: --panel: panels pair and twin have the same members (see: tare help panel)
  [2]
