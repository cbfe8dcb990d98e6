# needs: test "$(id -u)" != 0 || su nobody -s /bin/sh -c true
A folder without permission, as a user who has none (root reads everything).

  $ chmod 755 .. .; python3 make_photos.py photos portrait-0; chmod 000 photos
  $ as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/sh -c "$1"; else sh -c "$1"; fi; }; as "$(command -v tare) audit $PWD/photos --scorer planted:fidelity=1 -o /tmp/tare-denied-$$"
  [3]
