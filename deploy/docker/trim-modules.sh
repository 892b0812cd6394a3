#!/bin/sh
# Removes from node_modules what no process reads: TypeScript, source maps, and the builds of ONNX Runtime for other
# machines. Licenses stay.
set -eu
cd "$(dirname "$0")/../../node_modules"

npm cache clean --force
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete

# ONNX Runtime brings a build for each platform, 290 MB together.
runtime=onnxruntime-node/bin/napi-v6
if [ -d "$runtime" ]; then
  own=$runtime/$(node -p 'process.platform')
  [ -d "$own/$(node -p 'process.arch')" ] || { echo "ONNX Runtime has no build for this machine" >&2; exit 1; }
  for build in "$runtime"/*/*; do
    [ "$build" = "$own/$(node -p 'process.arch')" ] || rm -rf "$build"
  done
fi
