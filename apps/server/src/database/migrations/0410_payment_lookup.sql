-- For whoever asks where a payment is: by what its person, its provider or its chain calls it.
create index deposit_by_other_key on deposit (client_key) where client_key <> id;
create index withdrawal_by_other_key on withdrawal (client_key) where client_key <> id;
create index deposit_by_ref on deposit (provider_ref) where provider_ref is not null;
create index withdrawal_by_ref on withdrawal (provider_ref) where provider_ref is not null;
create index deposit_by_txid on deposit (lower(txid)) where txid is not null;
create index deposit_by_address on deposit (lower(response #>> '{apiResponse,data,depositAddress}'))
  where response #>> '{apiResponse,data,depositAddress}' is not null;
create index crypto_address_by_address on crypto_address (lower(address));
create index crypto_output_by_txid on crypto_output (lower(txid));
create index evidence_by_txid on evidence (lower(body #>> '{chain,txid}')) where body #>> '{chain,txid}' is not null;
create index evidence_by_deposit on evidence (deposit_id) where deposit_id is not null;
create index withdrawal_evidence_by_withdrawal on withdrawal_evidence (withdrawal_id) where withdrawal_id is not null;
create index journal_by_ref on journal (ext_ref);
create index webhook_delivery_by_deposit on webhook_delivery (deposit_id) where deposit_id is not null;
create index webhook_delivery_by_withdrawal on webhook_delivery (withdrawal_id) where withdrawal_id is not null;
