Folders and files that cannot be used: each is counted under its reason, or a clear error.

  $ mkdir empty; tare audit empty --scorer planted:fidelity=1 -o out0
  tare audit: empty: no photographs here (JPEG, PNG, WebP, TIFF, HEIC or AVIF by their first bytes; 0 other files were ignored) [photos.none]
  [3]
  $ mkdir texts; echo hello >texts/a.jpg; tare audit texts --scorer planted:fidelity=1 -o out1
  tare audit: texts: no photographs here (JPEG, PNG, WebP, TIFF, HEIC or AVIF by their first bytes; 1 other files were ignored) [photos.none]
  [3]
  $ mkdir cut; head -c 900 $SOURCE/tests/data/patches.jpg >cut/a.jpg; tare audit cut --scorer planted:fidelity=1 -o out2
  tare audit: cut: no photograph could be read (of 1); the first, a.jpg: damaged JPEG: Premature end of JPEG file [photos.unreadable]
  [3]
  $ python3 make_photos.py noskin noskin; sh used.sh audit noskin --scorer planted:fidelity=1 -o out3
  Does planted:fidelity=1 prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  Not used
    1 of 1 bases: no skin
  $ python3 make_photos.py small one; sh used.sh audit small --scorer planted:fidelity=1 -o out4
  Does planted:fidelity=1 prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  $ python3 make_photos.py grey grey; sh used.sh audit grey --scorer planted:fidelity=1 -o out5
  Does planted:fidelity=1 prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  Not used
    1 of 1 bases: no skin
  $ python3 make_photos.py strict alpha deep; tare audit strict --scorer planted:fidelity=1 -o out6
  tare audit: strict: no photograph could be read (of 2); the first, alpha.png: 100.00 % of the pixels are transparent: put it on a background [photos.unreadable]
  [3]
  $ python3 make_photos.py one_base portrait-0; sh used.sh audit one_base --scorer planted:fidelity=1 -o out7
  Does planted:fidelity=1 prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  $ python3 make_photos.py allskin allskin portrait-1 portrait-2; sh used.sh audit allskin --scorer planted:fidelity=1 -o out8
  Does planted:fidelity=1 prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  $ tare audit photos-that-are-not-there --scorer planted:fidelity=1 -o out9
  tare audit: photos-that-are-not-there: cannot open: No such file or directory [io.open]
  [3]

One photograph is no folder of them, and no table:

  $ for word in audit score perturb; do tare $word $SOURCE/tests/data/patches.jpg -o single 2>&1 | sed 's/^.*: this/this/'; done
  this is one photograph: give the folder that holds all of them (see: tare help audit)
  this is one photograph: give the folder that holds all of them (see: tare help score)
  this is one photograph: give the folder that holds all of them (see: tare help perturb)
  $ tare score $SOURCE/tests/data/README.md -o single 2>&1 | grep -c 'one photograph'; ls single 2>&1 | wc -l
  0
  1
