# used.sh ARGUMENTS...   run tare and show of its summary what was asked, the first answer, and what
# was not used: the rest may be worded better at any time.
tare "$@" -q >summary.out
code=$?
sed -n -e '1p' -e '3p' -e '/^Not used/,$p' summary.out
exit $code
