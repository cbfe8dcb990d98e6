"""Scorers whose bias is known are told apart on photographs (scorer audit 15.6)."""

from scenario import find, main, photographs, readings, run

QUICK = ["--boot-b", "999", "--perm-p", "999"]


def audit(specs, count=32, *more):
    photographs("photos", count)
    arguments = [word for spec in specs for word in ("--scorer", spec)]
    return run("audit", "photos", *arguments, *QUICK, *more, "-o", "out")


def shape(name):
    return find("out", family="shape", arm="skin", instrument=name)


def test_dose_is_directional():
    audit(["planted:dose=1"])
    name = "planted:dose=1"
    for reading, value in (("N", -10), ("P", 10), ("FI", 0), ("A", 20)):
        got = find(
            "out",
            family="fidelity",
            arm="skin",
            instrument=name,
            name=reading,
            condition="all doses",
        )
        assert abs(got["estimate"] - value) < 1e-9, (reading, got["estimate"])
    drift = find(
        "out", family="bestofn", arm="skin", instrument=name, name="net_drift", unit="dose"
    )
    assert abs(drift["estimate"] - 12) < 1e-9, drift["estimate"]
    assert "directional" in shape(name)["words"], shape(name)["words"]


def test_fidelity_is_a_symmetric_inverted_u():
    audit(["planted:absdose=1"])
    name = "planted:absdose=1"
    for condition, value in (("all doses", 10), ("extreme doses", 15)):
        got = find(
            "out", family="fidelity", arm="skin", instrument=name, name="FI", condition=condition
        )
        assert abs(got["estimate"] - value) < 1e-9, (condition, got["estimate"])
    drift = find(
        "out", family="bestofn", arm="skin", instrument=name, name="net_drift", unit="dose"
    )
    assert abs(drift["estimate"]) < 1e-9, drift["estimate"]
    words = shape(name)["words"]
    assert "fidelity preference" in words and "symmetric" in words, words


def test_constant_gives_no_answer():
    audit(["planted:constant=5"])
    tested = [
        r
        for r in readings("out")["readings"]
        if r["instrument"].startswith("planted:constant") and r["verdict"] != "descriptive"
    ]
    assert tested, "no readings at all"
    for reading in tested:
        assert reading["verdict"] == "no answer", (
            reading["family"],
            reading["name"],
            reading["verdict"],
        )


def test_artifact_is_not_taken_for_preference():
    audit(["planted:clip=1"])
    name = "planted:clip=1"
    adjusted = find("out", family="regression", arm="skin", instrument=name, name="FI_adj")
    assert abs(adjusted["estimate"]) < 1e-12, adjusted["estimate"]
    assert "carried by the artifact" in open("out/report.html", encoding="utf-8").read()


def test_rounding_noise_is_not_taken_for_preference():
    """A scorer that punishes high-frequency energy loses as much by the sham as by the dose."""
    audit(["planted:highfreq=-1"])
    contrast = find("out", family="placebo", arm="sham", name="FI_contrast")
    assert contrast["verdict"] != "found" or contrast["estimate"] < 0, contrast
    assert (
        "not distinguishable from rounding noise"
        in open("out/report.html", encoding="utf-8").read()
        or find("out", family="fidelity", arm="skin", name="FI", condition="all doses")["verdict"]
        != "found"
    )


def test_position_in_the_batch_is_caught():
    audit(["planted:position=0.01"], 12, "--batch", 4)
    name = [r["instrument"] for r in readings("out")["readings"] if "position" in r["instrument"]][
        0
    ]
    for reading in ("FI", "A"):
        got = find(
            "out",
            family="fidelity",
            arm="skin",
            instrument=name,
            name=reading,
            condition="all doses",
        )
        assert got["verdict"] == "no answer" and got["reason"] == "below_resolution", got


def test_half_precision_is_below_resolution():
    audit(["planted:offset=0.27,absdose=0.00001,fp16"])
    name = [r["instrument"] for r in readings("out")["readings"] if "fp16" in r["instrument"]][0]
    got = find(
        "out", family="fidelity", arm="skin", instrument=name, name="FI", condition="all doses"
    )
    assert got["verdict"] == "no answer", got


def test_noise_alone_finds_next_to_nothing():
    """Eight instruments of pure noise: after FDR, more than one chance finding is too many."""
    audit([f"planted:noise=1,seed={seed}" for seed in range(1, 9)], 40)
    found = [
        (r["instrument"], r["family"], r["name"])
        for r in readings("out")["readings"]
        if r["verdict"] == "found" and r["arm"] == "skin" and r["grid"]
    ]
    assert len(found) <= 1, found


if __name__ == "__main__":
    main()
