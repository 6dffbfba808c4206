#!/usr/bin/env bash
# Runs the unit tests and the end-to-end tests against the built command line, which need no network.
# `npm run test:packages` runs those of the packages as users install them. Arguments go to vitest.
# Tests that need Chromium, redis-server or PostgreSQL are reported as skipped where those are missing;
# CASTELLAN_TEST_TOOLS=required (as in CI) makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/cli/bin.js ] || npm run -s build
export CHECKPOINT_DISABLE=1
# A company's authorities: no test leaves this machine, and Node 20 reads them all each time it starts.
unset NODE_EXTRA_CA_CERTS
npx vitest run --project '!e2e, packages' "$@"
