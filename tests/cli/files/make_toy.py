"""Write the toy table of the scorer audit (section 15.5): 6 bases x 7 doses, all exact."""
print("base,dose,scorer,score,attribute,artifact,group")
for i in range(1, 7):
    for j in range(7):
        dose = 5 * (j - 3)
        score = ((7 * i * i + 11 * j * j + 3 * i * j) % 17) / 10
        attribute = 10 + 2 * dose + i + ((5 * i + 3 * j) % 7) / 10
        artifact = 0 if j == 3 else ((i + 2 * j) % 5) / 20
        print(f"b{i},{dose},toy,{score:g},{attribute:g},{artifact:g},g{(i + 1) // 2}")
