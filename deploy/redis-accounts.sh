#!/bin/sh
# Prints the accounts of Redis or Valkey, as its configuration and its ACL file have them: one for each process that uses it,
# with no rights beyond those that it needs, and one for maintenance. The default user is off.
#
#   redis-accounts.sh PREFIX
#
# PREFIX begins the names of all keys. The passwords come from the environment: REDIS_AUTH_PASSWORD and so on, and
# REDIS_PASSWORD for maintenance. Only their hashes are printed.
set -eu
prefix=$1

# Each type of value, and scripts, whose commands are checked as well. BullMQ asks for the version (INFO) and names its
# connections. No service may configure the server, or list keys.
own='+@connection +@string +@hash +@list +@set +@sortedset +@stream -@admin -@dangerous +info +del +unlink +exists +type +persist +pexpire +pexpireat +pttl +time +eval +evalsha +script|load'
# What adding a job to somebody else's queue takes: nothing that takes, changes or deletes a job.
add='+eval +evalsha +exists +get +hget +hmget +hmset +hset +incr +llen +lpush +rpush +xadd +zadd +zscore'

# keys SIGN PATTERN...: all keys of these patterns, after the prefix
keys() {
  sign=$1
  shift
  for pattern; do printf ' %s%s:%s' "$sign" "$prefix" "$pattern"; done
}

# account NAME PASSWORD RIGHT...
account() {
  name=$1
  hash=$(printf %s "$2" | sha256sum | cut -c1-64)
  shift 2
  echo "user $name on #$hash resetkeys resetchannels -@all" "$@"
}

# Whoever verifies tokens reads the denylist, and notes when a sign-in was used.
verify="$(keys '%R~' 'denylist:*') $(keys '~' 'sign-in-uses:*')"
live="$(keys '&' live-status)"

set -f
# Nobody can be the default user. It keeps its rights, since the server loads its append-only file with them: without them
# it would drop what scripts wrote.
echo 'user default off resetpass ~* &* +@all'
account auth "$REDIS_AUTH_PASSWORD" "$own" \
  "$(keys '~' 'auth:*' 'denylist:*' 'sign-in-uses:*' 'limits:auth:*' 'published:users*' 'published:groups*' 'published:audit-auth*' turns:sign-in-uses)" \
  "($add $(keys '~' 'catalog:*' 'recording:*' 'history:*'))"
account catalog "$REDIS_CATALOG_PASSWORD" "$own" "$verify" \
  "$(keys '~' 'catalog:*' 'published:technologies*' 'published:sets*' 'published:audit-catalog*')" \
  "($add $(keys '~' 'auth:*' 'recording:*'))"
account recording "$REDIS_RECORDING_PASSWORD" "$own" "$verify" "+subscribe +unsubscribe $live" \
  "$(keys '~' 'recording:*' 'media:*' 'transcription:*' 'assessment:*' 'ahead:*' 'trials:*' 'limits:recording:*' 'exports:*' engines)" \
  "$(keys '~' 'published:recordings*' 'published:deletions*' 'published:audit-recording*')" \
  "($add $(keys '~' 'auth:*' 'catalog:*' 'history:*'))"
account worker "$REDIS_WORKER_PASSWORD" "$own" "+publish $live" \
  "$(keys '~' 'media:*' 'transcription:*' 'assessment:*' 'ahead:*' 'trials:*' engines turns:stages turns:cut-offs)" \
  "($add $(keys '~' 'auth:*' 'history:*'))"
account history "$REDIS_HISTORY_PASSWORD" "$own" "$verify" "+publish $live" \
  "$(keys '~' 'history:*' 'published:audit-history*')" \
  "($add $(keys '~' 'auth:*' 'recording:*'))"
# Backups, restoring, checking deletions, and whether the server answers.
account maintenance "$REDIS_PASSWORD" '+@connection -@admin -@dangerous +info +client|list +scan +hgetall +unlink' "$(keys '~' '*')"
