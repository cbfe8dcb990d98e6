# needs: command -v mandoc
All manual pages are free of errors.

  $ mkdir p && tare help --pages p && mandoc -Tlint -W warning p/*.1 | grep -v 'missing date'
  [1]
