The same table gives the same answer, whatever it is written in; what is wrong is told by its place.

  $ python3 -c "import csv, json; [print(json.dumps(row)) for row in csv.DictReader(open('scores.csv'))]" >scores.jsonl
  $ gzip -k scores.csv scores.jsonl
  $ tare audit scores.csv -q >plain.txt
  $ for file in scores.jsonl scores.csv.gz scores.jsonl.gz; do tare audit $file -q | cmp - plain.txt && echo same; done
  same
  same
  same
  $ tare audit - -q <scores.jsonl.gz | cmp - plain.txt && echo same
  same
  $ sed '3s/"score": "[^"]*"/"score": "high"/' scores.jsonl >word.jsonl; tare audit word.jsonl
  tare audit: word.jsonl:3:56: score is not a number; leave the field empty where there is none [table.number]
  [3]
  $ sed '3s/"score"/"dose"/' scores.jsonl >twice.jsonl; tare audit twice.jsonl
  tare audit: twice.jsonl:3:47: this key has a value already in this row [json.duplicate_key]
  [3]
  $ head -c 200 scores.csv.gz | tare audit -
  tare audit: (standard input): the compressed data ends too early, at byte 200: was the file copied whole? [table.gzip]
  [3]
  $ printf 'base,dose,scorer,score\nb,0;s,1\n' >mixed.csv; tare audit mixed.csv
  tare audit: mixed.csv:2:8: this row has only 3 fields, the header has 4 (the delimiter is taken to be the comma) [table.ragged]
  [3]
  $ TARE_DUCKDB=/nonexistent/libduckdb.so tare audit "duckdb:SELECT * FROM 'scores.csv'"
  tare audit: /nonexistent/libduckdb.so: TARE_DUCKDB names this file, which does not exist. In tare's source folder, `make deps-duckdb` (tools/fetch_duckdb.sh) takes libduckdb.so out of the npm package @duckdb/node-bindings-linux-x64. The environment variable TARE_DUCKDB may name the file [duckdb.missing]
  [3]
