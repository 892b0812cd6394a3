#!/bin/sh
# Pins the images of others that compose uses: asks their registry what each tag is now, and writes the digests to .env.
# Every later build and start takes the same bytes, until this is run again. Where no registry answers, the tags stay.
set -eu
cd "$(dirname "$0")/../.."
[ -e .env ] || { echo 'Run sh deploy/docker/make-env.sh first.' >&2; exit 1; }
umask 077

for line in $(sed -n 's/^# \([A-Z]*_IMAGE=.*\)/\1/p' .env.example); do
  name=${line%%=*} tag=${line#*=}
  digest=$(docker buildx imagetools inspect "$tag" 2>/dev/null | sed -n 's/^Digest: *\(sha256:[0-9a-f]\{64\}\)$/\1/p')
  if [ -z "$digest" ]; then
    echo "The registry of $tag does not answer: images keep their tags. Run sh deploy/docker/pin-images.sh later." >&2
    exit 0
  fi
  grep -v "^$name=" .env >.env.new || true
  echo "$name=$tag@$digest" >>.env.new
  mv .env.new .env
  echo "Pinned $tag@$digest"
done
