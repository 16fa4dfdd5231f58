-- Saved accounts are kept encrypted, the fields and what is shown of them in one text. Rows from before are encrypted by the server
-- soon after its start, as the key is not the database's. The fingerprint becomes an HMAC with them: of an account number alone a plain
-- hash can be guessed back.
alter table payout_account alter column fields drop not null, alter column masked drop not null,
  -- Which key it was encrypted under.
  add column key_id text,
  -- AES-256-GCM: nonce, tag, text.
  add column sealed bytea,
  add constraint payout_account_sealed check ((sealed is null) = (key_id is null) and (sealed is null) = (fields is not null)
    and (fields is null) = (masked is null));
create index payout_account_by_key on payout_account (key_id);
