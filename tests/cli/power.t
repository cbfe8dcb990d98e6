What a study can see, from stated values, from a table and from a run folder.

  $ tare power --bases 54 --clusters 9 --icc 0.5 --sd-base 0.1 --sd-noise 0.05 --effect 0.06 --sd-neutral 1 -o stated
  What can a study of 54 bases see?
  
  With 54 bases in 9 clusters an FI of 0.06 is found in 49 % of such studies (35 %
  if it is the only effect among 2 tests); for 80 % 96 bases are enough. The
  smallest FI seen with 80 % is 0.0877. If there is no effect, the verdict
  negligible comes out in 89 %; to show it to be within the margin in 80 % takes
  42 bases.
  - With 54 bases in 9 clusters an A of 0.06 is found in 50 % of such studies (37
    % if it is the only effect among 2 tests); for 80 % 96 bases are enough. The
    smallest A seen with 80 % is 0.0862. If there is no effect, the verdict
    negligible comes out in 90 %; to show it to be within the margin in 80 % takes
    42 bases.
  - With 54 bases in 9 clusters a net drift of 3.4 dose units is found in 48 % of
    such studies (34 % if it is the only effect among 2 tests); for 80 % 102 bases
    are enough. The smallest net drift seen with 80 % is 5.02. If there is no
    effect, the verdict negligible comes out in less than 1 %; to show it to be
    within the margin in 80 % takes 558 bases.
  
  Before you use this answer
    ! After correction the worst case is shown: the effect is the only one in its
      family, and must reach alpha divided by the tests. With more true effects
      the chance lies between the two.
    ! Clusters are planned with equally many bases; the number needed keeps the
      bases in each cluster and adds clusters. More bases in the same clusters
      help less.
    ! Contributions of bases are taken as about normal; a strong skew or single
      dominant clusters make intervals too short, and the real chance another.
  report: stated/report.html
  $ python3 readings.py stated FI A
  power stated stated FI all doses: chance of being found 0.488976219 descriptive
  power stated stated FI all doses: chance of negligible without an effect 0.891770766 descriptive
  power stated stated FI all doses: bases needed 96.000000000 descriptive
  power stated stated A all doses: chance of being found 0.499692436 descriptive
  power stated stated A all doses: chance of negligible without an effect 0.899287570 descriptive
  power stated stated A all doses: bases needed 96.000000000 descriptive
  $ ls stated/tables stated/figures
  stated/figures:
  power_bases.vl.json
  power_effect.vl.json
  
  stated/tables:
  power.tsv
  $ tare power --bases 54 --sd-base 0.1 --effect 0.06 --simulate 50 --boot-b 199 --perm-p 99 --groups 3 --group-effect 0.1 -q -o more >/dev/null; ls more/tables
  power.tsv
  power_groups.tsv
  power_simulated.tsv

A pilot's table:

  $ tare power scores.csv --bases 60 --effect 0.3 --effect drift=10 --effect beta=0.01 -q -o table >/dev/null
  $ python3 readings.py table FI beta net_drift
  power table toy FI all doses: chance of being found 0.999607783 descriptive
  power table toy FI all doses: chance of negligible without an effect 0.000000000 descriptive
  power table toy FI all doses: bases needed 19.000000000 descriptive
  power table toy beta with artifact: chance of being found 0.999986521 descriptive
  power table toy beta with artifact: chance of negligible without an effect none descriptive
  power table toy beta with artifact: bases needed 15.000000000 descriptive
  power table toy net_drift attribute: chance of being found 0.995546197 descriptive
  power table toy net_drift attribute: chance of negligible without an effect none descriptive
  power table toy net_drift attribute: bases needed 24.000000000 descriptive
  power table toy net_drift dose: chance of being found 0.277971981 descriptive
  power table toy net_drift dose: chance of negligible without an effect 0.001596325 descriptive
  power table toy net_drift dose: bases needed 245.000000000 descriptive
  $ grep 'scores.csv' table/tare.log
      scores.csv: 0d508617ef869399b23b45977b6fa24c83bf8faed5033734308cc61c8a821eed

A run folder, which stays as it is:

  $ python3 make_photos.py photos portrait-0 portrait-1 portrait-2 portrait-3 portrait-4 portrait-5
  $ tare audit photos --scorer planted:fidelity=0.02,noise=0.05 -q -o run >/dev/null
  $ cp run/readings.json before.json; tare power run --bases 100 -q -o plan >/dev/null; cmp before.json run/readings.json
  $ cut -f 3,4,6,7,31,32 plan/tables/power.tsv
  reading	condition	n_bases	n_clusters	pilot_bases	pilot_clusters
  N	all doses	100	100	6	6
  P	all doses	100	100	6	6
  FI	all doses	100	100	6	6
  A	all doses	100	100	6	6
  beta	with artifact	100	100	6	6
  net_drift	ITA	100	100	6	6
  net_drift	dose	100	100	6	6
  contrast	sham	100	100	6	6
  $ tare power run --bases 100 -q -o run
  tare power: run: this folder holds a run on photographs: its report would be lost; use another (see: tare help power)
  [2]
  $ tare power photos --bases 100
  tare power: photos: this folder is no run: make one with tare audit PHOTOS/ --scorer SPEC -o DIR, or give a score table [input.no_run]
  [3]

The same bytes for any number of threads:

  $ for n in 1 3; do tare power -q --threads $n --bases 30 --sd-base 0.1 --sd-neutral 1 --simulate 40 --boot-b 199 --groups 3 -o t$n >/dev/null; done
  $ for f in readings.json readings.tsv report.html tables/power.tsv tables/power_simulated.tsv tables/power_groups.tsv; do cmp t1/$f t3/$f; done

What cannot be planned:

  $ tare power
  tare power: --bases: say how many photographs are planned (or give a pilot: a run folder or a score table) (see: tare help power)
  [2]
  $ tare power --bases 54 --sd-base 0.1
  tare power: --effect: say which effect is to be found: --effect X, or --sd-neutral X for the margin of 0.1 SD of the neutral scores (see: tare help power)
  [2]
  $ tare power --bases 54 --sd-base 0.1 --effect 0
  tare power: --effect: an effect of 0 cannot be found: say the smallest that would matter; how often no effect is shown to be negligible is printed in any case (see: tare help power)
  [2]
  $ tare power --bases 54 --effect 0.1
  tare power: --sd-base: nothing varies from base to base: every effect would be found. State --sd-base or --sd-noise, or give a pilot (see: tare help power)
  [2]
  $ tare power --bases 54 --sd-base nan --effect 0.1
  tare power: --sd-base: "nan" is not a number (see: tare help power)
  [2]
  $ tare power --bases 54 --clusters 1 --sd-base 0.1 --effect 0.1
  tare power: --clusters: 1 is not within 2 to 1e+07 (see: tare help power)
  [2]
  $ tare power --bases 54 --clusters 60 --sd-base 0.1 --effect 0.1
  tare power: --clusters: 60 clusters of 54 bases: every cluster needs at least one base (see: tare help power)
  [2]
  $ tare power --bases 54 --icc 1 --sd-base 0.1 --effect 0.1
  tare power: --icc: bases that are all the same within a cluster are one base: it must be below 1 (see: tare help power)
  [2]
  $ tare power --bases 54 --grid 2,4 --sd-base 0.1 --effect 0.1
  tare power: --grid: the grid has no neutral dose: neither 0 nor 1 is in it; --neutral DOSE names another (see: tare help power)
  [2]
  $ tare power scores.csv --sd-base 0.1
  tare power: sd-base: this option states what the pilot measured: give one of both (see: tare help power)
  [2]
  $ tare power scores.csv --bases 60 --clusters 6
  tare power: --icc: scores.csv has one base in each cluster, so it cannot tell how alike bases of one cluster are: state it (0 for not at all) (see: tare help power)
  [2]
