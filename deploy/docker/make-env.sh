#!/bin/sh
# Writes .env for docker compose: secrets of this installation's own, and the settings of .env.example.
# An existing .env keeps its settings; secrets that a newer release needs are added. It also pins the images of others.
set -eu
cd "$(dirname "$0")/../.."

services='MONGODB_AUTH_PASSWORD MONGODB_CATALOG_PASSWORD MONGODB_RECORDING_PASSWORD MONGODB_HISTORY_PASSWORD'
secrets="MONGODB_PASSWORD $services REDIS_PASSWORD MINIO_ROOT_PASSWORD S3_SECRET_KEY MEDIA_TOKEN_SECRET METRICS_TOKEN"
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077

if [ -e .env ]; then
  added=
  for name in $secrets; do
    grep -q "^$name=" .env && continue
    # The file's last line may not end.
    printf '\n%s=%s\n' "$name" "$(secret)" >>.env
    added="$added $name"
  done
  if [ -n "$added" ]; then echo "Added to .env:$added"; else echo '.env exists already; nothing was added.'; fi
  exec sh deploy/docker/pin-images.sh
fi

admin_password=$(secret | cut -c1-16)
demo_password=$(secret | cut -c1-16)
cp .env.example .env.new
for name in $secrets; do
  sed -e "s/^$name=.*/$name=$(secret)/" .env.new >.env.filled
  mv .env.filled .env.new
done
sed -e "s/^ADMIN_PASSWORD=.*/ADMIN_PASSWORD=$admin_password/" -e "s/^DEMO_PASSWORD=.*/DEMO_PASSWORD=$demo_password/" .env.new >.env.filled
rm .env.new
mv .env.filled .env

echo 'Wrote .env. After `docker compose up -d` sign in as:'
echo "  admin@example.com      $admin_password"
echo "  dev@example.com        $demo_password"
echo "  candidate@example.com  $demo_password"

exec sh deploy/docker/pin-images.sh
