#!/usr/bin/env bash
# Runs the tests that take long or need tools too large to install every time: random stacks of
# access, 100,000 pairs of membership rules, cvc5, processes killed at random points, the cloud's own
# clients, the blob store against Azurite, attacks on oauth2-proxy.
set -euo pipefail
cd "$(dirname "$0")/.."
npm run -s test:access
CASTELLAN_PROPERTY_RUNS=10 npx vitest run --project unit test/kinds/conformance
CASTELLAN_PROPERTY_RUNS=2 npx vitest run --project unit test/constructs/every-property-as-token.test.ts
CASTELLAN_PROPERTY_RUNS=50 npx vitest run --project unit test/kinds/membership-rule/prove
CASTELLAN_PROPERTY_RUNS=200 npx vitest run --project unit test/kinds/membership-rule/prove/random-rules.test.ts
CASTELLAN_PROPERTY_RUNS=20 npx vitest run --project unit test/core/yaml test/services/auth-sidecar/landing.test.ts test/services/billing/filter-properties.test.ts
CASTELLAN_PROPERTY_RUNS=25 npx vitest run --project unit test/access/prove/random-apps.test.ts --testTimeout 900000
# 200 and more examples of proofs through the real sign-in layer and directory
CASTELLAN_PROPERTY_RUNS=27 npx vitest run --project unit test/access/prove/over-http.test.ts --testTimeout 900000
# an SMT solver as a second opinion on the fragment of rules that it answers
cvc5="$PWD/node_modules/.cache/cvc5"
[ -d "$cvc5/cvc5" ] || python3 -m pip install --quiet --target "$cvc5" cvc5
CASTELLAN_CVC5="$cvc5" CASTELLAN_PROPERTY_RUNS=5 npx vitest run --project unit test/kinds/membership-rule/prove/cvc5.test.ts
# the cloud's own clients, unmodified
clients="$PWD/node_modules/.cache/clients"
if [ ! -d "$clients/python" ]; then
  mkdir -p "$clients"
  cp test/sandbox/clients/npm/package.json "$clients/"
  npm install --no-audit --no-fund --no-package-lock --prefix "$clients"
  python3 -m pip install --quiet --target "$clients/python" -r test/sandbox/clients/python/requirements.txt
fi
CASTELLAN_CLIENTS="$clients" npx vitest run --project e2e test/sandbox/clients
azurite=node_modules/.cache/azurite
[ -d "$azurite/node_modules/azurite" ] || npm install --no-audit --no-fund --no-save --prefix "$azurite" azurite@3
CASTELLAN_AZURITE="$azurite/node_modules/azurite/dist/src/blob/main.js" npx vitest run --project unit test/services/auth-sidecar/azurite.test.ts
managers=node_modules/.cache/package-managers
[ -d "$managers/node_modules/pnpm" ] || npm install --no-audit --no-fund --no-save --prefix "$managers" yarn@1 @yarnpkg/cli-dist@4 pnpm@9 bun@1 jest@29 @swc/core@1 @swc/jest@0.2
CASTELLAN_PACKAGE_MANAGERS="$PWD/$managers" npx vitest run --project 'e2e, packages' test/package/package-managers
# the advisories of other sign-in proxies, tried on the newest oauth2-proxy where one is installed
CASTELLAN_OAUTH2_PROXY="${CASTELLAN_OAUTH2_PROXY:-$(command -v oauth2-proxy || true)}"
[ -z "$CASTELLAN_OAUTH2_PROXY" ] || CASTELLAN_OAUTH2_PROXY="$CASTELLAN_OAUTH2_PROXY" npx vitest run --project unit test/services/auth-sidecar/oauth2-proxy.test.ts
CASTELLAN_KILLS=50 npx vitest run --project e2e test/sandbox/serve/several-processes --testTimeout 900000
CASTELLAN_INTERRUPTS=200 npx vitest run --project e2e test/cli/interrupted-anywhere
