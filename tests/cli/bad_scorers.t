Scorers that crash, hang, print garbage or give no number: a status for each score, exit code 4 when
no scorer gave any.

  $ python3 make_photos.py photos portrait-0 portrait-1 portrait-2
  $ tare audit photos --scorer nonsense: -o out0
  [2]
  $ tare audit photos --scorer planted:nonsense=1 -o out1
  [2]
  $ tare audit photos --scorer 'exec:no-such-program' -o out2
  [4]
  $ tare audit photos --scorer 'exec:false' -o out3
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py crash' -o out4
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py garbage' -o out5
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py nan' -o out6
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py hang' --timeout 0.3 -o out7
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py nan' --scorer planted:fidelity=1 -o out8
