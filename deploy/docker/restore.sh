#!/bin/sh
# Restores a folder of backups/: sh deploy/docker/restore.sh backups/NAME [--replace]
# The product is stopped for the restore. With --check the backup is only read, and the product keeps running.
set -eu
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || { echo 'Name the folder of one backup: sh deploy/docker/restore.sh backups/NAME' >&2; exit 1; }
name=$(basename "$1")
shift

run() {
  docker compose run --rm -T --user "$(id -u):$(id -g)" backup \
    node deploy/tools/backup/run-restore.ts "/backups/$name" "$@"
}
case " $* " in *' --check '*) run "$@"; exit 0 ;; esac

docker compose stop gateway auth catalog recording worker history
status=0
run "$@" || status=$?
# A refusal has changed nothing. A service refuses to start on what an interrupted restore left.
docker compose up -d
exit "$status"
