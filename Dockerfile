# Earshot: `docker build -t earshot .`. Node runs the TypeScript as it is; the dashboard alone is built.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.md' \) -delete

FROM node:24-trixie-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json vite.config.ts ./
RUN npm ci --ignore-scripts
COPY src ./src
RUN npm run build:dashboard

FROM node:24-trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates ffmpeg pocketsphinx pocketsphinx-en-us tini \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir /data \
 && chown node:node /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE README.md ./
COPY docs ./docs
COPY drizzle ./drizzle
COPY src ./src
COPY --from=dashboard /app/dist/dashboard ./dist/dashboard
# What the first start would compile, so that no start has to.
RUN mkdir -p node_modules/.cache && chown node:node node_modules/.cache \
 && su node -s /bin/sh -c 'node src/admin.ts openapi --out /tmp/openapi.json' && rm /tmp/openapi.json
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Longer than a stop takes: ten seconds, and SHUTDOWN_DELAY_SECONDS.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/health/live').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
