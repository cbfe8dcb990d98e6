"""bad_scorer.py HOW   an external scorer that fails in a known way, or is slow and sound.

HOW is crash, hang, garbage, nan or slow.
"""
import base64
import json
import sys
import time
import zlib

how = sys.argv[1]
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        reply = {"name": how, "version": "1", "fingerprint": "sha256:" + "0" * 64,
                 "prompt": "none", "max_batch": 4, "higher_is_better": True}
        print(json.dumps(reply), flush=True)
        continue
    if how == "crash":
        sys.exit("crashing as told")
    if how == "hang":
        time.sleep(3600)
    if how == "garbage":
        print("{]garbage", flush=True)
        continue
    if how == "slow":
        time.sleep(0.05)
    scores = []
    for item in request["items"]:
        value = zlib.crc32(base64.b64decode(item["image"]["png"])) % 1009 / 100
        scores.append({"key": item["key"], "score": float("nan") if how == "nan" else value})
    print(json.dumps({"id": request["id"], "scores": scores}), flush=True)
