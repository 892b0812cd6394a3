#!/bin/sh
# Removes from node_modules what no process reads: TypeScript, source maps, and the other builds of ONNX Runtime and of
# the voice detector, which are for browsers. Licences stay.
set -eu
cd "$(dirname "$0")/../../node_modules"

npm cache clean --force
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete

# keep FOLDER FILE...: removes every other file of the folder
keep() {
  folder=$1
  shift
  [ -d "$folder" ] || return 0
  for file in "$@"; do [ -f "$folder/$file" ] || { echo "$folder has no $file" >&2; exit 1; }; done
  for path in "$folder"/*; do
    case " $* " in *" ${path##*/} "*) ;; *) rm -rf "$path" ;; esac
  done
}
keep onnxruntime-web/dist ort.wasm.bundle.min.mjs ort-wasm-simd-threaded.mjs ort-wasm-simd-threaded.wasm
keep @ricky0123/vad-web/dist silero_vad_v5.onnx
