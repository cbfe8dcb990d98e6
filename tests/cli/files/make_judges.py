"""make_judges.py [WHAT] > judges.csv: scores of judges m0, m1, ... that are also authors, 40 items.

m1 favours its own texts. WHAT makes one fault: silent, constant, one-author, no-self, disagree,
case, words, huge, mixed, sparse.
"""
import sys

WHAT = sys.argv[1] if len(sys.argv) > 1 else ""


def score(item, author, judge):
    noise = ((item * 4 + author) * 4 + judge + 1) * 2654435761 % 2**32 * 40503 % 2**32 / 2**32
    return 3 + author / 4 - judge / 8 + noise + (author == judge == 1)


def row(item, author, judge):
    """One line of the table, with the fault that was asked for."""
    value = f"{score(item, author, judge):g}"
    name, status = f"m{judge}", ""
    if WHAT == "silent" and judge == 3:
        value, status = "", "refused"
    if WHAT == "sparse" and judge == 3 and item > 9:
        value, status = "", "refused"
    if WHAT == "constant" and judge == 3:
        value = "4"
    if WHAT == "case" and judge == 2:
        name = "M2" if item % 2 else "m2 "
    if WHAT == "words" and item == 7 and author == judge == 2:
        value = "good"
    if WHAT == "huge" and item == 7 and author == judge == 2:
        value = "1e308"
    author = "w" + str(author) if WHAT == "no-self" else f"m{author}"
    delimiter = ";" if WHAT == "mixed" and item == 5 else ","
    return delimiter.join([f"i{item:02d}", author, name, value, status])


print("item,author,judge,score,status")
for i in range(40):
    for g in range(1 if WHAT == "one-author" else 4):
        for e in range(4):
            print(row(i, g, e))
            if WHAT == "disagree" and i == g == e == 3:
                print("i03,m3,m3,1,")
