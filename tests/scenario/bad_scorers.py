"""Instruments that crash, hang, print garbage or give NaN: statuses, counted; the run goes on."""

import os
import sys

from scenario import main, photographs, readings, run

QUICK = ["--boot-b", "199", "--perm-p", "199"]
GOOD = """
import json, sys, os, time
def reply(o): sys.stdout.write(json.dumps(o) + "\\n"); sys.stdout.flush()
for line in sys.stdin:
    q = json.loads(line)
    if q["op"] == "hello":
        reply({"name": "tester", "version": "1", "fingerprint": "f", "prompt": "none",
               "max_batch": 4, "higher_is_better": True})
        continue
    n = 0
    scores = []
    for item in q["items"]:
        import hashlib
        value = int(hashlib.sha256(item["image"]["png"].encode()).hexdigest()[:6], 16) / 1e6
        scores.append({"key": item["key"], "score": value})
    %s
    reply({"id": q["id"], "scores": scores})
"""


def scorer(trouble):
    open("scorer.py", "w").write(GOOD % trouble)
    return f"exec:{sys.executable} scorer.py"


def audit(spec, status=0, *more):
    photographs("photos", 7, width=48, height=56)
    return run("audit", "photos", "--scorer", spec, *QUICK, *more, "-o", "out", status=status)


def missing():
    counts = {}
    for row in readings("out")["missing"]:
        if row["instrument"]:
            counts[row["reason"]] = counts.get(row["reason"], 0) + row["count"]
    return counts


def test_retry_asks_again_where_the_program_failed():
    """It dies for good in the middle, is repaired, and the run is completed."""
    open("broken", "w").close()
    spec = scorer('os.path.exists("broken") and q["id"] > 6 and os._exit(3)')
    audit(spec)
    assert missing() == {"scorer_error": 12}, missing()
    cautions = readings("out")["cautions"]
    assert any("--retry asks again" in word for word in cautions), cautions
    os.remove("broken")
    audit(spec)
    assert missing() == {"scorer_error": 12}, "asked again without being told to"
    audit(spec, 0, "--timeout", "100", "--retry")
    assert not missing(), missing()
    run("audit", "photos", "--scorer", spec, *QUICK, "-o", "fresh")
    assert readings("out")["readings"] == readings("fresh")["readings"]


def test_good_one_is_used():
    audit(scorer("pass"))
    assert not missing(), missing()


def test_nan_is_a_status():
    audit(
        scorer("\n    for s in scores: s['score'] = s['score'] if s['score'] > 3 else float('nan')")
    )
    assert missing().get("score_nonfinite", 0) > 0, missing()


def test_all_nan_is_exit_4():
    audit(scorer("\n    for s in scores: s['score'] = None"), 4)


def test_crash_is_a_status_and_exit_4():
    done = audit(scorer("os._exit(3)"), 4)
    assert "no instrument gave a score" in done.stderr, done.stderr


def test_hang_is_a_timeout():
    done = audit(scorer("time.sleep(1000)"), 4, "--timeout", "0.2")
    assert "no instrument gave a score" in done.stderr, done.stderr


def test_garbage():
    audit(scorer("\n    print('Loading model... 100%'); sys.stdout.flush()"), 4)


def test_no_program():
    done = audit("exec:./is-not-there --really", 4)
    assert "is-not-there" in done.stderr, done.stderr


def test_unknown_scheme():
    done = audit("brisk:", 2)
    assert "brisque" in done.stderr, done.stderr


def test_secret_in_the_environment_is_not_kept():
    os.environ["SECRET_TOKEN"] = "hunter2-secret"
    audit(scorer("sys.stderr.write('loaded\\n')"))
    for root, _, files in os.walk("out"):
        for name in files:
            assert b"hunter2-secret" not in open(os.path.join(root, name), "rb").read(), name


if __name__ == "__main__":
    main()
