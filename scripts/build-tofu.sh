#!/usr/bin/env bash
# Builds OpenTofu from its Go modules: scripts/build-tofu.sh FOLDER makes FOLDER/tofu (some minutes).
set -euo pipefail
version=v1.12.6
target=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >go.mod <<EOF
module build
go 1.25
require github.com/opentofu/opentofu $version
replace github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828
EOF
GOFLAGS=-mod=mod go get "github.com/opentofu/opentofu/cmd/tofu@$version"
GOFLAGS=-mod=mod go build -o "$target/tofu" github.com/opentofu/opentofu/cmd/tofu
