# used.sh ARGUMENTS...   run tare and show of its summary the question, why it could not answer, and
# what was not used: the rest may be worded better at any time.
tare "$@" -q >summary.out
code=$?
sed -n 1p summary.out
grep -o -m 1 'no answer.*' summary.out
sed -n '/^Not used/,$p' summary.out
exit $code
