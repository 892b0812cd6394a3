#!/bin/sh
# Writes .env for docker compose: secrets of this installation's own, and the settings of .env.example.
# An existing .env keeps its settings; secrets that a newer release needs are added. It also pins the images of others.
#
#   make-env.sh [--rotate]
#
# With --rotate all secrets of .env are replaced. They take effect at the next `docker compose up -d`.
set -eu
cd "$(dirname "$0")/../.."

mongodb='MONGODB_AUTH_PASSWORD MONGODB_CATALOG_PASSWORD MONGODB_RECORDING_PASSWORD MONGODB_HISTORY_PASSWORD'
redis='REDIS_AUTH_PASSWORD REDIS_CATALOG_PASSWORD REDIS_RECORDING_PASSWORD REDIS_WORKER_PASSWORD REDIS_HISTORY_PASSWORD'
gateway='GATEWAY_AUTH_SECRET GATEWAY_CATALOG_SECRET GATEWAY_RECORDING_SECRET GATEWAY_HISTORY_SECRET'
secrets="MONGODB_PASSWORD $mongodb REDIS_PASSWORD $redis $gateway MINIO_ROOT_PASSWORD S3_SECRET_KEY MEDIA_TOKEN_SECRET METRICS_TOKEN MAILPIT_PASSWORD"
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
value() { sed -n "s/^$1=//p" .env | tail -n 1; }
umask 077

# fill FILE NAME...: gives each of these settings of the file a new secret
fill() {
  file=$1
  shift
  for name; do
    sed -e "s/^$name=.*/$name=$(secret)/" "$file" >.env.filled
    mv .env.filled "$file"
  done
}

rotate() {
  # MongoDB has its administrator's password in its data: it is changed by whoever knows the one before.
  previous="$(value MONGODB_PASSWORD) $(value MONGODB_PASSWORD_PREVIOUS)"
  grep -v '^MONGODB_PASSWORD_PREVIOUS=' .env >.env.new
  fill .env.new $secrets
  echo "MONGODB_PASSWORD_PREVIOUS=${previous% }" >>.env.new
  mv .env.new .env
  echo 'Replaced the secrets in .env. `docker compose up -d` restarts everything with them. Open links to media end.'
  echo 'Whoever reads /metrics needs the new METRICS_TOKEN.'
}

if [ -e .env ]; then
  for name in $(sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/\1/p' .env); do
    grep -q "^\(# \)\{0,1\}$name=" .env.example || [ "$name" = MONGODB_PASSWORD_PREVIOUS ] ||
      echo "$name in .env is not a setting of this release, and is ignored: see CHANGELOG.md." >&2
  done
  added=
  for name in $secrets; do
    grep -q "^$name=" .env && continue
    # The file's last line may not end.
    printf '\n%s=%s\n' "$name" "$(secret)" >>.env
    added="$added $name"
  done
  if [ "${1-}" = --rotate ]; then
    rotate
    exit
  fi
  if [ -n "$added" ]; then echo "Added to .env:$added"; else echo '.env exists already; nothing was added.'; fi
  exec sh deploy/docker/pin-images.sh
fi

admin_password=$(secret | cut -c1-16)
demo_password=$(secret | cut -c1-16)
cp .env.example .env.new
fill .env.new $secrets
sed -e "s/^ADMIN_PASSWORD=.*/ADMIN_PASSWORD=$admin_password/" -e "s/^DEMO_PASSWORD=.*/DEMO_PASSWORD=$demo_password/" .env.new >.env.filled
rm .env.new
mv .env.filled .env

echo 'Wrote .env. After `docker compose up -d` sign in as:'
echo "  admin@example.com      $admin_password"
echo "SEED=demo in .env adds dev@example.com and candidate@example.com, with the password $demo_password."
echo 'Mail is caught at http://localhost:8025, for the user mailpit with MAILPIT_PASSWORD of .env, until SMTP_URL names a server.'

exec sh deploy/docker/pin-images.sh
