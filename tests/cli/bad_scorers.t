Scorers that crash, hang, print garbage or give no number: a status for each score, exit code 4 when
no scorer gave any.

  $ python3 make_photos.py photos portrait-0 portrait-1 portrait-2
  $ tare audit photos --scorer nonsense: -o out0
  tare audit: nonsense:: not a scorer; what is known: brisque:, laion-v1:, laion-v2:, pickscore:, hpsv2.0:, hpsv2.1:, imagereward:, clip:, nsfw:, onnx:, exec:, table:, planted: (`tare doctor` says more) (see: tare help audit)
  [2]
  $ tare audit photos --scorer planted:nonsense=1 -o out1
  tare audit: nonsense=1: not a term; terms are offset=K constant[=K] dose=K absdose=K fidelity=K attribute=K clip=K luminance=K highfreq=K base=SD noise=SD position=K group=NAME:K arm=NAME:K neutral=D seed=N ties=P quantum=Q fp16 fail=P nan=P (see: tare help audit)
  [2]
  $ tare audit photos --scorer 'exec:no-such-program' -o out2
  tare audit: no-such-program: cannot be started: No such file or directory [exec.start]
  [4]
  $ tare audit photos --scorer 'exec:false' -o out3
  tare audit: false: did not answer hello: the process ended (exit status 1); its messages are in out3/scorers.log [exec.start]
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py crash' -o out4
  tare audit: crash: no instrument gave a score; the first said: the process ended (exit status 1) [scorer.silent]
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py garbage' -o out5
  tare audit: garbage: no instrument gave a score; the first said: the reply is not JSON: {]garbage [scorer.silent]
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py nan' -o out6
  tare audit: nan: no instrument gave a score; the first said: the scorer gave a number that is not finite [scorer.silent]
  [4]
  $ tare audit photos --scorer 'exec:python3 bad_scorer.py hang' --timeout 2 -q -o out7
  tare audit: hang: no instrument gave a score; the first said: no answer within the time limit [scorer.silent]
  [4]
  $ sh used.sh audit photos --scorer 'exec:python3 bad_scorer.py nan' --scorer planted:fidelity=1 -o out8
  Do these scorers prefer lighter or darker skin?
  no answer: fewer than 6 independent clusters.
  Not used
    3 of 3 bases: score nonfinite (skin, nan)
    3 of 3 bases: score nonfinite (sham, nan)
