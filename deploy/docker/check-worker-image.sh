#!/bin/sh
# Checks the worker's image: its size, and that what is spoken in it comes back. Usage: check-worker-image.sh IMAGE
# It needs flite, which speaks.
set -eu
image=$1
max_megabytes=450

megabytes=$(($(docker image inspect --format '{{.Size}}' "$image") / 1000000))
echo "$image: $megabytes MB, at most $max_megabytes MB"
[ "$megabytes" -le "$max_megabytes" ]

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flite -voice slt -t 'A promise is either fulfilled or rejected.' -o "$folder/answer.wav"
chmod -R a+rX "$folder"
docker run --rm --read-only --tmpfs /tmp --network none -v "$folder:/spoken:ro" "$image" \
  node services/recording/src/try-transcribe.ts /spoken/answer.wav | tee "$folder/transcript"
grep -qi 'promise is either fulfilled or rejected' "$folder/transcript"
