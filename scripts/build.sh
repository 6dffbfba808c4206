#!/usr/bin/env bash
# Builds dist/ from a clean start: compiled files with declarations, the data files next to the
# sources, compiled schemas, and the bundled command line. It is built aside and put in place at the
# end, so that what runs meanwhile never sees half of it.
set -euo pipefail
cd "$(dirname "$0")/.."
export CASTELLAN_BUILD="$PWD/dist.new" # beside dist/: the maps say where the sources are from there
rm -rf "$CASTELLAN_BUILD"
mkdir -p "$CASTELLAN_BUILD"
npm run -s generate
status=0
# The rest is built all the same when types are wrong, so that one sees how far it runs.
node node_modules/typescript-native/bin/tsc -p tsconfig.build.json --outDir "$CASTELLAN_BUILD" --emitDeclarationOnly || status=$?
# Comments are for declarations, which editors show.
node node_modules/typescript-native/bin/tsc -p tsconfig.build.json --outDir "$CASTELLAN_BUILD" --declaration false --removeComments --noCheck
# without `exports`, which only the package.json at the root of the package declares
node -e 'const { exports: _exports, ...rest } = require("./package.json"); console.log(JSON.stringify(rest, null, 2))' > "$CASTELLAN_BUILD/package.json"
find core kinds policies clients constructs services access stacks sandbox cli \( -name '*.json' -o -name '*.proto' -o -name '*.html' -o -name '*.tmpl' \) -not -name tsconfig.json -print0 |
  xargs -0 -r -I{} cp --parents {} "$CASTELLAN_BUILD/"
# Data is for programs: without the whitespace.
find "$CASTELLAN_BUILD" -name '*.json' -not -path '*/templates/*' -print0 |
  xargs -0 node -e 'for (const file of process.argv.slice(1)) fs.writeFileSync(file, JSON.stringify(JSON.parse(fs.readFileSync(file, "utf8"))))'
mkdir -p "$CASTELLAN_BUILD/docs" && cp -r docs/rules "$CASTELLAN_BUILD/docs/rules" # for `castellan explain`
# the grammar of Terraform's language, and what runs it: see policies/sources/hcl/parse-hcl.ts
mkdir -p "$CASTELLAN_BUILD/policies/sources/hcl"
cp node_modules/@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm node_modules/web-tree-sitter/web-tree-sitter.wasm "$CASTELLAN_BUILD/policies/sources/hcl/"
cp node_modules/@tree-sitter-grammars/tree-sitter-hcl/LICENSE "$CASTELLAN_BUILD/policies/sources/hcl/tree-sitter-terraform.LICENSE"
node scripts/load-lazily.mjs
node scripts/compile-validators.mjs
node scripts/bundle.mjs
node scripts/bundle-console.mjs
node scripts/remove-unused.mjs
chmod +x "$CASTELLAN_BUILD/cli/bin.js"
rm -rf dist.old
if [ -d dist ]; then mv dist dist.old; fi
mv "$CASTELLAN_BUILD" dist
rm -rf dist.old
unset CASTELLAN_BUILD
npm run -s build --workspaces # castellan-check and castellan-sidecar
ln -sfn ../../dist/cli/bin.js node_modules/.bin/castellan # for `npx castellan` here: see .npmrc
exit "$status"
