# The server with the built widget, to be run with PostgreSQL. compose.yaml and deploy/helm show how. docs/release.md says how to build it.

# The one place that names the base. `npm run pin-images` writes the digest of the tag, and Renovate renews both (docs/release.md).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553

# What npm reads: the layers below it are made again only when a package changes.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/core/package.json packages/core/
COPY packages/create-provider/package.json packages/create-provider/
COPY packages/embed/package.json packages/embed/
COPY packages/messages/package.json packages/messages/
COPY packages/provider-checkout-com/package.json packages/provider-checkout-com/
COPY packages/provider-kit/package.json packages/provider-kit/
COPY packages/provider-paystack/package.json packages/provider-paystack/
COPY packages/server/package.json packages/server/
COPY apps/demo/package.json apps/demo/
COPY apps/server/package.json apps/server/
COPY apps/site/package.json apps/site/
COPY apps/widget/package.json apps/widget/
COPY e2e/package.json e2e/
COPY scripts/bench/package.json scripts/bench/
COPY tools/clients/package.json tools/clients/

# What the server needs at run time, and nothing of the widget or of tests. No package of ours needs its install script, so none runs.
FROM manifests AS run-time-packages
RUN npm ci --omit=dev --workspace=@opencashier/cashier --ignore-scripts --no-audit --no-fund

FROM manifests AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ENV NODE_ENV=production
RUN npm run build --workspace=@opencashier/cashier --workspace=@opencashier/widget \
  && chmod 755 apps/server/dist/cli.js

FROM ${NODE_IMAGE}
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="OpenCashier" \
  org.opencontainers.image.description="A payment cashier: widget, server and ledger" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}" \
  org.opencontainers.image.source="${SOURCE}"
# The network of the container decides who reaches the server.
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0
WORKDIR /app
COPY --from=run-time-packages /app/node_modules ./node_modules
COPY --from=build /app/apps/server/package.json ./apps/server/
COPY --from=build /app/apps/server/dist ./apps/server/dist
COPY --from=build /app/apps/widget/dist ./apps/widget/dist
# A volume that is mounted on an empty folder takes its owner: /data is for the embedded database, /backups for backups.
RUN ln -s /app/apps/server/dist/cli.js /usr/local/bin/opencashier \
  && mkdir /data /backups && chown 1000:1000 /data /backups && chmod 700 /data /backups
# A user of the image that owns none of its files. Kubernetes asks for the number.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/dist/main.js"]
