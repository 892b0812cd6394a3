#!/bin/sh
# Makes the append-only file of Redis or Valkey loadable again. A power cut may leave zeros at its end, and the server would
# refuse to start with it. The damaged files are kept beside; what the file loses comes back from MongoDB.
# Prints a line if there was something to repair.
#
#   repair-append-only-file.sh FOLDER CHECK
#
# FOLDER: the server's data folder. CHECK: redis-check-aof or valkey-check-aof.
set -eu
folder=$1
check=$2
files=$folder/appendonlydir
manifest=$files/appendonly.aof.manifest
damaged=$folder/appendonlydir.damaged

[ -e "$manifest" ] || exit 0
"$check" "$manifest" >/dev/null 2>&1 && exit 0

rm -rf "$damaged"
cp -a "$files" "$damaged"
if echo y | "$check" --fix "$manifest" >/dev/null 2>&1; then
  what='was cut to the part that is whole'
else
  rm -rf "$files"
  what='could not be repaired: the server starts empty'
fi
echo "the append-only file in $files was damaged and $what; the damaged files are kept in $damaged, and what is lost comes back from MongoDB"
