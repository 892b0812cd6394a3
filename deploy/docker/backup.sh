#!/bin/sh
# Backs up what `docker compose up` runs into a new folder in backups/, while people use it.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p backups
exec docker compose run --rm -T --user "$(id -u):$(id -g)" backup
