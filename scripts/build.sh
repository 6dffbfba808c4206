#!/usr/bin/env bash
# Builds dist/ from a clean start: compiled files with declarations, and the data files that stand beside the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf dist
status=0
node node_modules/typescript-native/bin/tsc -p tsconfig.build.json || status=$? # the rest is built all the same, so that one sees how far it runs
cp package.json dist/package.json
find core policies clients constructs services provider stacks sandbox cli \( -name '*.json' -o -name '*.proto' -o -name '*.html' -o -name '*.css' -o -name '*.tmpl' \) -print0 |
  xargs -0 -r -I{} cp --parents {} dist/
node scripts/compile-validators.mjs
node scripts/bundle-check.mjs
chmod +x dist/cli/bin.js
exit "$status"
