"""External scorers that misbehave, one way each: bad_instrument.py MODE [FILE]. The score of a good
one is 1000 x width + height of the PNG it got, so that a test sees that the pixels arrived."""
import base64, json, os, signal, struct, subprocess, sys, time

mode = sys.argv[1]
once = sys.argv[2] if len(sys.argv) > 2 else None
hello = {"name": "probe", "version": "3", "fingerprint": "f00d", "max_batch": 16}


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def first_time():
    if os.path.exists(once):
        return False
    open(once, "w").close()
    return True


def size(item):
    image = item["image"]
    png = base64.b64decode(image["png"]) if "png" in image else open(image["path"], "rb").read()
    width, height = struct.unpack(">II", png[16:24])
    return 1000.0 * width + height


def harm(request, good, reply, text):
    """The reply of those who mean harm; None: it has been given."""
    if mode == "escapes":  # its child has left the group and keeps stdout open
        child = subprocess.Popen(["sleep", "20"], start_new_session=True)
        open(once, "w").write(str(child.pid))
        os._exit(0)
    if mode == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if mode == "drip":
        while True:
            say("x")
            time.sleep(0.05)
    if mode == "blank_drip":
        while True:
            say("\n")
            time.sleep(0.05)
    if mode == "half_line":
        say(text[: len(text) // 2])
        os._exit(0)
    if mode == "nul":
        text = text.replace('"id"', '"i\0d"')
    if mode == "deep":
        text = "[" * 100000 + "]" * 100000
    if mode == "twice_a_key":
        text = text[:-1] + ', "id": %d}' % request["id"]
    if mode == "huge_number":
        good[0]["score"] = 123456
        text = json.dumps(reply).replace("123456", "1" + "0" * 4000)
    if mode == "not_utf8":
        sys.stdout.buffer.write(b'{"id": %d, "scores": "\xff\xfe"}\n' % request["id"])
        sys.stdout.flush()
        return None
    if mode == "many_children":
        for _ in range(20):
            subprocess.Popen(["sleep", "1000"])
        time.sleep(1000)
    if mode == "chatter":
        sys.stderr.write("warning: slow\n" * 50000)
    return text


def score(request):
    good = [{"key": i["key"], "score": size(i)} for i in request["items"]]
    reply = {"id": request["id"], "scores": good}
    if mode == "crash":
        os._exit(3)
    if mode in ("crash_once", "changed") and first_time():
        os._exit(3)
    if mode == "abort":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "hang" or (mode == "hang_once" and first_time()):
        time.sleep(1000)
    if mode == "garbage":
        say("epoch 1: loss 0.5\n")
    if mode == "nan":
        good[0]["score"] = float("nan")
    if mode == "infinity":
        good[0]["score"] = float("inf")
    if mode == "null":
        good[0]["score"] = None
    if mode == "text":
        good[0]["score"] = "5"
    if mode == "missing":
        good.pop()
    if mode == "doubled":
        good.append(good[0])
    if mode == "unknown":
        good[0]["key"] = "another"
    if mode == "surplus":
        good.append({"key": "another", "score": 1})
    if mode == "wrong_id":
        reply["id"] += 7
    if mode == "array":
        reply = [reply]
    if mode == "errors":
        good[0] = {"key": good[0]["key"], "error": "no face\n\x07found"}
    if mode == "whole_error":
        reply = {"id": request["id"], "error": "out of memory on the GPU"}
    if mode == "backwards":
        good.reverse()
    if mode == "prompt":
        for i, entry in zip(request["items"], good):
            entry["score"] = len(i.get("prompt", "")) if "prompt" in i else -1
    if mode == "descriptors":
        for entry in good:
            entry["score"] = len(os.listdir("/proc/self/fd")) - 1  # less the one that lists
    if mode == "flood":
        while True:
            say("x" * 65536)
    if mode == "flood_lines":
        while True:
            say("y\n" * 4096)
    if mode == "huge":
        reply["padding"] = "z" * (17 << 20)
    if mode == "close_stdout":
        os.close(1)
        time.sleep(1000)
    if mode == "grandchild":
        child = subprocess.Popen(["sleep", "1000"])
        open(once, "w").write(str(child.pid))
        time.sleep(1000)
    text = json.dumps(reply)
    text = harm(request, good, reply, text)
    if text is None:
        return
    if mode == "pieces":
        for c in text:
            say(c)
        say("\r\n")
    else:
        say(text + "\n")


if mode == "exit_at_start":
    sys.stderr.write("no module named aesthetics\n")
    sys.exit(2)
if mode == "silent":
    time.sleep(1000)
if mode == "talks_first":
    say("Loading model...\n")
if mode == "no_fingerprint":
    del hello["fingerprint"]
if mode == "changed" and os.path.exists(once):
    hello["fingerprint"] = "beef"
if mode == "prompt":
    hello["prompt"] = "required"
if mode == "path":
    hello["image"] = "path"
if mode == "lower":
    hello["higher_is_better"] = False
if mode == "hello_error":
    hello = {"error": "no GPU here"}

say(json.dumps(hello) + "\n" if sys.stdin.readline() else "")
if mode == "deaf":
    os.close(0)
    time.sleep(1000)
if mode == "deaf_flood":
    while True:
        say("x" * 65536)
for line in sys.stdin:
    score(json.loads(line))
if mode == "stays":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)
