Folders and files that cannot be used: each is counted under its reason, or a clear error.

  $ mkdir empty; tare audit empty --scorer planted:fidelity=1 -o out0
  [3]
  $ mkdir texts; echo hello >texts/a.jpg; tare audit texts --scorer planted:fidelity=1 -o out1
  [3]
  $ mkdir cut; head -c 900 $SOURCE/tests/data/patches.jpg >cut/a.jpg; tare audit cut --scorer planted:fidelity=1 -o out2
  [3]
  $ python3 make_photos.py noskin noskin; tare audit noskin --scorer planted:fidelity=1 -o out3
  $ python3 make_photos.py small one; tare audit small --scorer planted:fidelity=1 -o out4
  $ python3 make_photos.py grey grey; tare audit grey --scorer planted:fidelity=1 -o out5
  $ python3 make_photos.py strict alpha deep; tare audit strict --scorer planted:fidelity=1 -o out6
  [3]
  $ python3 make_photos.py one_base portrait-0; tare audit one_base --scorer planted:fidelity=1 -o out7
  $ python3 make_photos.py allskin allskin portrait-1 portrait-2; tare audit allskin --scorer planted:fidelity=1 -o out8
  $ tare audit photos-that-are-not-there --scorer planted:fidelity=1 -o out9
  [3]
