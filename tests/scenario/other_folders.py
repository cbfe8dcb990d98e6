"""Run folders of other versions, of other programs, half copied, or made to do harm: each is
refused with a clear word, or read."""

import os
import shutil
import sqlite3
import sys

from scenario import find, main, photographs, run

KEPT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "data", "run_store_1", "run.sqlite"
)
QUICK = ["--boot-b", "199", "--perm-p", "199"]


def kept(folder="out"):
    """A finished run of six photographs, made by version 0.1.0; the photographs are gone."""
    os.makedirs(folder)
    return shutil.copy(KEPT, os.path.join(folder, "run.sqlite"))


def change(*statements, folder="out"):
    db = sqlite3.connect(os.path.join(folder, "run.sqlite"))
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def refused(words, *command, status=3):
    done = run(*(command or ("report", "out")), status=status)
    assert words in done.stderr, done.stderr
    return done


def fidelity_of(path):
    """FI of the arm skin from the rows of the folder (scorer audit 5.1): not by tare's code."""
    db = sqlite3.connect(path)
    rows = db.execute(
        "SELECT s.base, v.dose, s.value FROM score s JOIN variant v USING (base, slot)"
        " WHERE s.pass = 0 AND s.scorer = 0 AND v.operator <> 'sham'"
    ).fetchall()
    db.close()
    each = []
    for base in sorted({b for b, _, _ in rows}):
        score = {dose: value for b, dose, value in rows if b == base}
        sides = [
            [score[d] - score[0] for d in score if d != 0 and (d > 0) == positive]
            for positive in (False, True)
        ]
        each.append(-sum(sum(side) / len(side) for side in sides) / 2)
    return sum(each) / len(each)


def test_run_of_version_0_1_0_is_read():
    path = kept()
    wanted = fidelity_of(path)
    done = run("report", "out", status=None)
    if done.returncode == 3:  # once a later version reads it no more, it says so
        assert "another version of tare" in done.stderr, done.stderr
        return
    assert done.returncode == 0, done.stderr
    got = find("out", family="fidelity", arm="skin", name="FI", condition="all doses")
    assert abs(got["estimate"] - wanted) < 1e-9 * abs(wanted), (got["estimate"], wanted)
    assert got["n_base"] == 6, got


def test_newer_and_older_versions():
    for version in (99, 0):
        kept(f"v{version}")
        change(f"PRAGMA user_version = {version}", folder=f"v{version}")
        refused("another version of tare", "report", f"v{version}")


def test_databases_of_other_programs():
    kept()
    change("PRAGMA application_id = 1234")
    refused("not made by tare")
    os.makedirs("theirs")
    change("CREATE TABLE notes (id INTEGER, words TEXT)", folder="theirs")
    before = open("theirs/run.sqlite", "rb").read()
    refused("not made by tare", "report", "theirs")
    photographs("photos", 6)
    refused(
        "not made by tare", "audit", "photos", "--scorer", "planted:dose=1", "-o", "theirs"
    )
    assert open("theirs/run.sqlite", "rb").read() == before, "it was written to"


def test_no_database_at_all():
    os.makedirs("out")
    for content in ("these are notes\n" * 200, "SQLite format 3\0 and no more"):
        with open("out/run.sqlite", "w", encoding="ascii") as file:
            file.write(content)
        refused("not a readable run")
    open("out/run.sqlite", "w").close()
    refused("does not say which photographs")


def test_folder_of_another_tool():
    os.makedirs("theirs/checkpoints")
    with open("theirs/results.json", "w", encoding="ascii") as file:
        file.write("{}")
    refused("run.sqlite", "report", "theirs")
    refused("no photographs here", "audit", "theirs", "--scorer", "planted:dose=1", "-o", "out")


def test_half_copied_database():
    whole = open(kept(), "rb").read()
    for size in (100, 4096, len(whole) // 2, len(whole) - 4096):
        with open("out/run.sqlite", "wb") as file:
            file.write(whole[:size])
        done = run("report", "out", status=3)
        assert "run.sqlite" in done.stderr and "another output folder" in done.stderr, done.stderr


def test_half_copied_pictures():
    photographs("photos", 6)
    run("audit", "photos", "--scorer", "planted:dose=1", *QUICK, "--strips", "1", "-o", "out")
    os.rename("photos", "gone")
    shutil.rmtree("out/blobs")
    done = run("report", "out", status=3)
    assert "blobs" in done.stderr, done.stderr


def test_views_and_triggers_do_not_run():
    endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT * FROM r"
    for k, harm in enumerate(
        (
            ["DROP TABLE batch", f"CREATE VIEW batch AS {endless}"],
            ["CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM score; END"],
            ["CREATE INDEX i ON score (value)"],
            ["DROP TABLE batch"],
        )
    ):
        kept(f"out{k}")
        change(*harm, folder=f"out{k}")
        done = run("report", f"out{k}", status=3)
        assert "tables" in done.stderr, done.stderr


def test_program_of_a_folder_is_not_started():
    photographs("photos", 6)
    program = f"exec:{sys.executable} {os.path.abspath('scorer.py')}"
    with open("scorer.py", "w", encoding="ascii") as file:
        file.write(
            "import json, sys\nopen('started', 'w').close()\n"
            "for line in sys.stdin:\n    q = json.loads(line)\n"
            "    scores = [{'key': i['key'], 'score': len(i['image']['png'])}"
            " for i in q.get('items', [])]\n"
            "    print(json.dumps({'name': 'n', 'fingerprint': 'f', 'id': q.get('id'),"
            " 'scores': scores}), flush=True)\n"
        )
    run("audit", "photos", "--scorer", program, *QUICK, "-o", "out")
    change("DELETE FROM meta WHERE key = 'instruments'", "DELETE FROM batch WHERE batch > 3")
    os.remove("started")
    for command in ("report", "audit"):
        done = refused("start a program", command, "out", status=2)
        assert program in done.stderr and not os.path.exists("started"), done.stderr
    run("audit", "out", "--scorer", program)
    assert os.path.exists("started")


def unfinished(*statements, folder="out"):
    change("DELETE FROM meta WHERE key = 'instruments'", "DELETE FROM batch", *statements,
           folder=folder)


def test_models_and_queries_of_a_folder_are_not_opened():
    """What a stranger's folder that goes on may name: files that are only read."""
    photographs("photos", 6)
    scorer = "UPDATE meta SET value = '{}' WHERE key IN ('option.scorer.0', 'setting.scorer')"
    for k, spec in enumerate(("onnx:model.yaml", "new:thing")):
        kept(f"m{k}")
        unfinished(scorer.format(spec), folder=f"m{k}")
        for command in ("report", "audit"):
            done = refused("wants to open a model", command, f"m{k}", status=2)
            assert f"--scorer '{spec}'" in done.stderr, done.stderr
    names = ("duckdb:SELECT 1 AS file", os.path.abspath("theirs.parquet"), "-")
    for k, name in enumerate(names):
        for key in ("input", "option.manifest.0"):
            folder = f"q{k}{key}"
            kept(folder)
            unfinished(
                "DELETE FROM meta WHERE key = 'plan.bases'",
                f"INSERT OR REPLACE INTO meta VALUES ('{key}', '{name}')",
                folder=folder,
            )
            done = refused("query", "audit", folder, status=2)
            assert name in done.stderr and "again" in done.stderr, done.stderr
    kept("planted")
    unfinished("DELETE FROM meta WHERE key = 'plan.bases'", folder="planted")
    assert "query" not in run("audit", "planted", status=None).stderr


def journal(database, victim):
    """A hot rollback journal of one page whose super-journal is `victim` (SQLite's file format,
    sections 3 and 4 of "Database File Format")."""
    with open(database, "rb") as file:
        whole = file.read()
    size = int.from_bytes(whole[16:18], "big")
    page, magic = whole[:size], bytes([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])

    def word(*values):
        return b"".join((v & 0xFFFFFFFF).to_bytes(4, "big") for v in values)

    check = 1 + sum(page[i] for i in range(size - 200, 0, -200))
    head = (magic + word(1, 1, len(whole) // size, 512, size)).ljust(512, b"\0")
    name = victim.encode()
    tail = word(2**30 // size + 1) + name + word(len(name), sum(name)) + magic
    with open(database + "-journal", "wb") as file:
        file.write(head + word(1) + page + word(check) + tail)


def test_journal_that_names_a_file_to_delete():
    """SQLite alone deletes the file; tare refuses the folder before it asks SQLite."""
    kept()
    with open("thesis", "w", encoding="ascii") as file:
        file.write("precious")
    journal(os.path.abspath("out/run.sqlite"), os.path.abspath("thesis"))
    shutil.copytree("out", "sqlite")
    for command in ("report", "audit"):
        done = refused("run.sqlite-journal", command, "out")
        assert "remove it" in done.stderr, done.stderr
    assert open("thesis", encoding="ascii").read() == "precious"
    db = sqlite3.connect("sqlite/run.sqlite")  # the journal is a true one
    db.execute("SELECT count(*) FROM meta").fetchall()
    db.close()
    assert not os.path.exists("thesis"), "this journal does no harm: the test shows nothing"
    os.remove("out/run.sqlite-journal")
    run("report", "out", status=None)


def test_links_in_a_folder_are_not_followed():
    os.makedirs("victim")
    with open("victim/thesis.tsv", "w", encoding="ascii") as file:
        file.write("precious")
    kept()
    with open("out/readings.json", "w", encoding="ascii") as file:
        file.write('{"files": ["tables/thesis.tsv", "tables/../../victim/thesis.tsv"]}')
    for name in ("tables", "figures"):
        os.symlink(os.path.abspath("victim"), f"out/{name}")
        done = refused("is a link", "audit", "out")
        assert f"out/{name}" in done.stderr, done.stderr
        os.remove(f"out/{name}")
    assert os.listdir("victim") == ["thesis.tsv"]
    for name in ("run.lock", "run.sqlite-wal", "run.sqlite-shm"):
        if os.path.lexists(f"out/{name}"):
            os.remove(f"out/{name}")
        os.symlink(os.path.abspath("victim/new"), f"out/{name}")
        done = refused("is a link", "audit", "out")
        assert name in done.stderr, done.stderr
        os.remove(f"out/{name}")
    assert os.listdir("victim") == ["thesis.tsv"]
    os.symlink("out", "named")  # by the user
    run("report", "named", status=None)


def test_programs_write_through_no_link():
    """The log and the pictures of a program, in a folder that somebody prepared."""
    photographs("photos", 2)
    os.makedirs("victim")
    with open("scorer.py", "w", encoding="ascii") as file:
        file.write(
            "import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n"
            "    print(json.dumps({'name': 'n', 'fingerprint': 'f', 'image': 'path',"
            " 'id': q.get('id'), 'scores': [{'key': i['key'], 'score': 1}"
            " for i in q.get('items', [])]}), flush=True)\n"
        )
    program = f"exec:{sys.executable} {os.path.abspath('scorer.py')}"
    for name in ("scorers.log", "scratch"):
        os.makedirs(f"to-{name}")
        target = "victim" if name == "scratch" else "victim/new"
        os.symlink(os.path.abspath(target), f"to-{name}/{name}")
        done = refused("is a link", "audit", "photos", "--scorer", program, "-o", f"to-{name}")
        assert f"to-{name}/{name}" in done.stderr, done.stderr
    assert os.listdir("victim") == []


def test_numbers_that_cannot_be():
    for k, harm in enumerate(
        (
            "UPDATE base SET status = 77 WHERE idx = 2",
            "UPDATE base SET status = -1 WHERE idx = 2",
            "UPDATE meta SET value = '99999999999999' WHERE key = 'plan.bases'",
            "UPDATE meta SET value = replace(value, '\"batch\":1', '\"batch\":1e300')"
            " WHERE key = 'instruments'",
            "UPDATE score SET scorer = 7 WHERE base = 1",
            "UPDATE score SET base = -1 WHERE base = 1",
            "UPDATE variant SET slot = 1000 WHERE slot = 3",
        )
    ):
        kept(f"out{k}")
        change(harm, folder=f"out{k}")
        run("report", f"out{k}", status=3)


if __name__ == "__main__":
    main()
