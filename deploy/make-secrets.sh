#!/bin/sh
# Makes the secret files that compose.yaml mounts. Run it once: sh deploy/make-secrets.sh
# A file that exists is never changed, so a second run only adds what is missing.
set -eu
folder="${1:-secrets}"
umask 022
mkdir -p "$folder"
# Containers read the files under users of their own. Other users of this machine cannot enter the folder.
chmod 700 "$folder"

random() { head -c 64 /dev/urandom | base64 | tr -d '/+=\n' | cut -c 1-48; }
# keep FILE CONTENT
keep() {
	if [ ! -e "$folder/$1" ]; then printf '%s\n' "$2" >"$folder/$1"; fi
}
read_secret() { tr -d '\n' <"$folder/$1"; }

for name in postgres_password redis_password token_secret data_key metrics_token; do keep "$name" "$(random)"; done
# Its name is part of the key, so that it can be replaced: docs/connections.md.
keep master_key "first:$(random)"
keep database_owner_url "postgres://cashier:$(read_secret postgres_password)@postgres:5432/cashier"
# The role of the nodes. `migrate` creates it with this password.
keep database_url "postgres://cashier_app:$(random)@postgres:5432/cashier"
# The sandbox's provider signs with it. Without SANDBOX=1 nothing reads it.
keep sandbox_provider_secret "whsec_$(head -c 32 /dev/urandom | base64)"
keep redis_url "redis://:$(read_secret redis_password)@redis:6379"
# Optional. An empty file counts as not set.
for name in stripe_secret_key stripe_webhook_secret geetest_key seed_demo_operator_key seed_demo_webhook_secret; do
	if [ ! -e "$folder/$name" ]; then : >"$folder/$name"; fi
done
# Lines such as CHAIN_KEY_TON=… for the nodes of chains, PROVIDER_KEY_ACME=… for providers that are packages, and OTEL_EXPORTER_OTLP_HEADERS=… for a collector.
if [ ! -e "$folder/more.env" ]; then : >"$folder/more.env"; fi
echo "The secrets are in $folder. Keep a copy of token_secret, data_key and master_key away from the backups of the database."
