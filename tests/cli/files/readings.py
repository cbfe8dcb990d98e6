"""readings.py FOLDER NAME...   print the readings of these names, rounded, one a line."""
import json
import sys

with open(sys.argv[1] + "/readings.json", encoding="utf-8") as f:
    readings = json.load(f)["readings"]
for reading in readings:
    if reading["name"] in sys.argv[2:]:
        estimate = reading["estimate"]
        shown = "none" if estimate is None else f"{estimate:.9f}"
        words = [reading["family"], reading["arm"], reading["instrument"], reading["name"],
                 reading["condition"], shown, reading["verdict"], reading["reason"]]
        print(" ".join(word for word in words if word))
