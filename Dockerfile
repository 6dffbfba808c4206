# The auth sidecar as a container: distroless, non-root, read-only. It holds the package castellan-sidecar and nothing else:
#   npm ci && docker build -t castellan-sidecar .
# The base needs a Node with SQLite of its own (22.13 or later) at /nodejs/bin/node.
ARG BASE=gcr.io/distroless/nodejs22-debian12:nonroot
FROM ${BASE}
COPY packages/castellan-sidecar /app
# The default token store is an SQLite file below the working directory: the only folder that is written to, a volume of its own, so that
# `docker run --read-only` works. With --token-store redis://… or postgres://… nothing is written at all.
COPY --chown=65532:65532 packages/castellan-sidecar/dist/image-state /var/lib/castellan
WORKDIR /var/lib/castellan
VOLUME /var/lib/castellan
ENV NODE_ENV=production
# Node's space for new objects, in MiB: half of its own 16, at the same processor time. 89 MB under load in place of 101.
ENV NODE_OPTIONS=--max-semi-space-size=8
# By number: Kubernetes can't tell whether a name is root's (runAsNonRoot).
USER 65532:65532
EXPOSE 8443 9090
ENTRYPOINT ["/nodejs/bin/node", "/app/dist/cli/bin.js"]
CMD ["--config", "/etc/castellan/auth.yaml", "--upstream", "http://127.0.0.1:8080", "--listen", ":8443", "--admin-listen", ":9090", "--secrets", "/run/secrets"]
