"""An external scorer that heeds its prompt and the dose in the key: "light" prefers high doses,
"dark" low ones, others only the photograph. What it was asked is appended to the file it is given:
one line "KEY<TAB>PROMPT" for each item."""
import json, sys

log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None


def dose(key):
    tail = key[max(key.rfind("+"), key.rfind("-")):]
    return float(tail)


for line in sys.stdin:
    request = json.loads(line)
    if request.get("op") == "hello":
        reply = {"name": "heeds", "version": "1", "fingerprint": "77", "prompt": "required",
                 "max_batch": 16}
    else:
        scores = []
        for item in request["items"]:
            prompt, key = item["prompt"], item["key"]
            if log:
                log.write(key + "\t" + prompt + "\n")
                log.flush()
            slope = 1 if "light" in prompt else -1 if "dark" in prompt else 0
            own = int(key[:4], 16) / 65536
            scores.append({"key": key, "score": own * (1 + slope * dose(key) / 100)})
        reply = {"id": request["id"], "scores": scores}
    print(json.dumps(reply), flush=True)
