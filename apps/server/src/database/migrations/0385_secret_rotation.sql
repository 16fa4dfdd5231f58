-- A secret is changed without a gap: until then the older web-hook secrets sign as well, afterwards only the newest does.
alter table operator add column webhook_old_secrets_until timestamptz;
