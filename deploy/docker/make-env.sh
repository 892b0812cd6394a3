#!/bin/sh
# Writes .env for docker compose: secrets of this installation's own, and the settings of .env.example.
# An existing .env is left alone.
set -eu
cd "$(dirname "$0")/../.."

if [ -e .env ]; then
  echo '.env exists already; nothing was changed.'
  exit 0
fi

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
admin_password=$(secret | cut -c1-16)
demo_password=$(secret | cut -c1-16)

umask 077
sed \
  -e "s/^MONGODB_PASSWORD=.*/MONGODB_PASSWORD=$(secret)/" \
  -e "s/^REDIS_PASSWORD=.*/REDIS_PASSWORD=$(secret)/" \
  -e "s/^S3_SECRET_KEY=.*/S3_SECRET_KEY=$(secret)/" \
  -e "s/^MEDIA_TOKEN_SECRET=.*/MEDIA_TOKEN_SECRET=$(secret)/" \
  -e "s/^ADMIN_PASSWORD=.*/ADMIN_PASSWORD=$admin_password/" \
  -e "s/^DEMO_PASSWORD=.*/DEMO_PASSWORD=$demo_password/" \
  .env.example >.env.new
mv .env.new .env

echo 'Wrote .env. After `docker compose up -d` sign in as:'
echo "  admin@example.com      $admin_password"
echo "  dev@example.com        $demo_password"
echo "  candidate@example.com  $demo_password"
