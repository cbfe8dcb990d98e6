#!/usr/bin/env python3
"""The checks of tools/ find what they are for: each fault is planted once in a small tree."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import check_layers  # noqa: E402
import check_style  # noqa: E402
import run_tests  # noqa: E402

ROOMS = "tare_room(base Threads::Threads)\ntare_room(image base PkgConfig::SPNG)\n" \
        "tare_room(store base)\ntare_room(cli)\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = self.scratch.name
        self.write("CMakeLists.txt", ROOMS)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


class Layers(Tree):
    def faults(self, path, text):
        self.write(path, text)
        return check_layers.check(self.root)

    def test_order(self):
        self.write("src/base/mem.c", "#include <stdlib.h>\nvoid *p(void) { return malloc(1); }\n")
        self.write("src/image/a.c", '#include "base/mem.h"\n#include <spng.h>\n#include "tare.h"\n')
        self.assertEqual(self.faults("src/cli/m.c", '#include "cli/cli.h"\n#include "tare.h"\n'),
                         [])

    def test_upward(self):
        self.assertIn("may not include from src/image",
                      self.faults("src/base/a.c", '#include "image/a.h"\n')[0])

    def test_sideways(self):
        self.assertTrue(self.faults("src/store/a.c", '#include "image/a.h"\n'))

    def test_inside(self):
        self.assertTrue(self.faults("src/cli/a.c", '#include "base/mem.h"\n'))

    def test_library_of_another_room(self):
        self.assertIn("belongs to src/image", self.faults("src/base/a.c", "#include <spng.h>\n")[0])

    def test_unknown_library(self):
        self.assertTrue(self.faults("src/base/a.c", "#include <curl/curl.h>\n"))

    def test_calls(self):
        for call in ('printf("x");', "exit(1);", "free(p);", "x = malloc(3);",
                     'fprintf(stderr, "x");', "signal(2, f);"):
            self.assertEqual(len(self.faults("src/store/a.c", f"void f(void) {{ {call} }}\n")), 1,
                             call)

    def test_words_in_text_are_no_calls(self):
        self.assertEqual(self.faults("src/store/a.c", '/* exit(1) */ const char *s = "free(x)";\n'),
                         [])


class Style(Tree):
    def faults(self, path, text):
        self.write(path, text)
        return check_style.check(self.root)

    def function(self, lines, parameters="void"):
        return f"int f({parameters})\n{{\n" + "    x();\n" * (lines - 3) + "}\n"

    def test_order(self):
        text = self.function(79, "int a, int (*b)(int, int)")
        self.assertEqual(self.faults("src/base/a.c", text), [])

    def test_columns(self):
        self.assertEqual(self.faults("a.c", "x" * 100 + "\n"), [])
        self.assertEqual(len(self.faults("a.c", "x" * 101 + "\n")), 1)

    def test_tab_and_blank(self):
        self.assertEqual(len(self.faults("a.c", "\tx;\ny; \n")), 2)

    def test_long_function(self):
        self.assertEqual(len(self.faults("a.c", self.function(80))), 1)

    def test_parameters(self):
        seven = ", ".join(f"int p{i}" for i in range(7))
        self.assertEqual(self.faults("a.c", self.function(5, seven)), [])
        self.assertEqual(len(self.faults("a.c", self.function(5, seven + ", int more"))), 1)

    def test_long_file(self):
        self.assertEqual(len(self.faults("a.c", "int a;\n" * 601)), 1)

    def test_same_name(self):
        self.write("src/x/a.c", "int a;\n")
        self.assertEqual(len(self.faults("src/y/a.c", "int b;\n")), 1)

    def test_page_that_nobody_finds(self):
        self.write("docs/index.md", "[one](one.md)\n")
        self.assertEqual(self.faults("docs/one.md", "x\n"), [])
        self.assertEqual(len(self.faults("docs/two.md", "x\n")), 1)

    def test_words(self):
        for word in ("TO" + "DO", "see /wo" + "rk/main/x", "https://registry.npm" + "js.org/x"):
            self.assertEqual(len(self.faults("a.md", word + "\n")), 1, word)


class Counts(Tree):
    def test_outcomes(self):
        self.write("j.xml", '<testsuite><testcase name="a" status="run"/>'
                            '<testcase name="b" status="fail"><failure message=""/></testcase>'
                            '<testcase name="c" status="notrun"><skipped message="x"/>'
                            '<system-out>skipped: no data</system-out></testcase></testsuite>')
        self.assertFalse(run_tests.report([os.path.join(self.root, "j.xml")]))
        self.write("k.xml", '<testsuite><testcase name="a" status="run"/></testsuite>')
        self.assertTrue(run_tests.report([os.path.join(self.root, "k.xml")]))
        self.write("l.xml", "<testsuite></testsuite>")
        self.assertFalse(run_tests.report([os.path.join(self.root, "l.xml")]))


if __name__ == "__main__":
    unittest.main()
