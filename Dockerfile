# The auth sidecar as a container: distroless, non-root, read-only. Build: docker build -t castellan-sidecar .
FROM node:22-bookworm-slim AS build
WORKDIR /src
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
# The embedded database is compiled here, with the headers that the base image brings: nothing comes from outside of the package registry.
ENV npm_config_nodedir=/usr/local npm_config_build_from_source=true
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY . .
# The sidecar loads neither the bindings of Terraform's providers (half of all the bytes) nor the sources of what was compiled.
RUN npm run build && npm prune --omit=dev --ignore-scripts && mkdir -p /state/.castellan/auth-sidecar \
  && rm -rf node_modules/@cdktf node_modules/cdktf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/build -type f ! -name better_sqlite3.node -delete

FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /app
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY --from=build /src/package.json ./package.json
COPY --from=build --chown=65532:65532 /state /var/lib/castellan
# The default token store is an SQLite file below the working directory: the only folder that is written to, a volume of its own, so that
# `docker run --read-only` works. With --token-store redis://… or postgres://… nothing is written at all.
WORKDIR /var/lib/castellan
VOLUME /var/lib/castellan
ENV NODE_ENV=production
# By number: Kubernetes can't tell whether a name is root's (runAsNonRoot).
USER 65532:65532
EXPOSE 8443 9090
ENTRYPOINT ["/nodejs/bin/node", "/app/dist/cli/bin.js", "sidecar"]
CMD ["--config", "/etc/castellan/auth.yaml", "--upstream", "http://127.0.0.1:8080", "--listen", ":8443", "--admin-listen", ":9090", "--secrets", "/run/secrets"]
