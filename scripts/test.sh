#!/usr/bin/env bash
# Runs every test: the unit tests, then the end-to-end tests against the built command line.
# Arguments go to vitest. Tests that need Chromium, redis-server or PostgreSQL are reported as
# skipped where those are missing; CASTELLAN_TEST_TOOLS=required (as in CI) makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/cli/bin.js ] || npm run -s build
export CHECKPOINT_DISABLE=1
npx vitest run "$@"
