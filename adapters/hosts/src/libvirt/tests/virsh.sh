#!/bin/sh
# A virsh of the tests. It is called by a link; the file "answers" beside the link says what it does, as a part of a shell script.
cd "$(dirname "$0")" || exit 1
options="$1 $2"
uri=$3
shift 3
echo "$*" >>calls
. ./answers
