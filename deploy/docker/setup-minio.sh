#!/bin/sh
# Makes the bucket, and the key with which the product uses it: it can do nothing else, and nothing outside the bucket.
# Runs at each start; what exists stays. The key's secret follows S3_SECRET_KEY. MinIO's image has little beside a shell
# and mc, so this needs no other program.
set -eu
folder=${TMPDIR:-/tmp}
export MC_CONFIG_DIR="$folder/mc"
bucket=recordings user=recordings-service policy=recordings-only

mc alias set store http://minio:9000 interview "$MINIO_ROOT_PASSWORD"
mc mb --ignore-existing "store/$bucket"
printf '%s' '{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::recordings"] },
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      "Resource": ["arn:aws:s3:::recordings/*"]
    }
  ]
}' >"$folder/policy.json"
mc admin policy create store "$policy" "$folder/policy.json"
mc admin user add store "$user" "$S3_SECRET_KEY"
# To attach a policy a second time is an error.
case "$(mc admin user info store "$user")" in
  *"$policy"*) ;;
  *) mc admin policy attach store "$policy" --user "$user" ;;
esac
