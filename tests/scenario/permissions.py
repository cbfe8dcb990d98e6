"""A folder and a file that may not be read, tried as another user when the tests run as root."""

import os
import pwd
import shutil
import tempfile

import scenario
from scenario import TARE, main, photographs, readings, run

QUICK = ["--scorer", "planted:absdose=1,noise=0.1", "--boot-b", "199", "--perm-p", "199"]


def as_other_user():
    """Arguments for subprocess that drop root; nothing for other users."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    if os.getcwd().startswith(tempfile.gettempdir()):
        os.chmod(".", 0o777)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def test_unreadable_file_is_counted():
    photographs("photos", 8)
    os.chmod("photos/photo-03.jpg", 0)
    run("audit", "photos", *QUICK, "-o", "out", **as_other_user())
    assert {(r["reason"], r["count"]) for r in readings("out")["missing"]} == {("unreadable", 1)}


def test_unreadable_subfolder_is_said():
    photographs("photos", 8)
    photographs("photos/inner", 2, first=20)
    os.chmod("photos/inner", 0)
    done = run("audit", "photos", *QUICK, "-o", "out", **as_other_user())
    os.chmod("photos/inner", 0o755)
    assert "could not be entered" in done.stdout + done.stderr, done.stdout


def test_unreadable_folder_is_an_error():
    photographs("photos", 2)
    os.chmod("photos", 0)
    done = run("audit", "photos", *QUICK, "-o", "out", status=3, **as_other_user())
    os.chmod("photos", 0o755)
    assert "photos" in done.stderr and "ermission" in done.stderr, done.stderr


def test_output_that_cannot_be_written():
    photographs("photos", 2)
    os.makedirs("closed")
    os.chmod("closed", 0o555)
    done = run("audit", "photos", *QUICK, "-o", "closed/out", status=3, **as_other_user())
    assert "closed/out" in done.stderr and "ermission" in done.stderr, done.stderr


def test_run_folder_that_cannot_be_written():
    photographs("photos", 8)
    run("audit", "photos", *QUICK, "-o", "out")
    os.chmod("out", 0o555)
    for name in os.listdir("out"):
        os.chmod(os.path.join("out", name), 0o555 if os.path.isdir(f"out/{name}") else 0o444)
    done = run("report", "out", "-o", "second", status=3, **as_other_user())
    assert "must be writable" in done.stderr and "copy" in done.stderr, done.stderr


if __name__ == "__main__":
    if as_other_user():  # who must be able to reach the program: not below a closed home folder
        scenario.TARE = shutil.copy(TARE, tempfile.mkdtemp())
        os.chmod(os.path.dirname(scenario.TARE), 0o755)
        os.chmod(scenario.TARE, 0o755)
    main()
