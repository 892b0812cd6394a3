#!/bin/sh
# Makes the bucket, and the key with which the product uses it: it can do nothing else, and nothing outside the bucket.
# Runs at each start; what exists stays. The key's secret follows S3_SECRET_KEY.
set -eu
export MC_CONFIG_DIR=/tmp/mc
server=store bucket=recordings user=recordings-service policy=recordings-only

mc alias set "$server" http://minio:9000 interview "$MINIO_ROOT_PASSWORD" >/dev/null
mc mb --ignore-existing "$server/$bucket"
cat >/tmp/policy.json <<JSON
{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::$bucket"] },
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      "Resource": ["arn:aws:s3:::$bucket/*"]
    }
  ]
}
JSON
mc admin policy create "$server" "$policy" /tmp/policy.json
mc admin user add "$server" "$user" "$S3_SECRET_KEY"
# Attaching it a second time is an error.
mc admin user info "$server" "$user" | grep -q "$policy" || mc admin policy attach "$server" "$policy" --user "$user"
