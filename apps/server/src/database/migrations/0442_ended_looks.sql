-- An address that has expired or whose payment is settled is never looked at again. Its time to be looked at stayed in the past, so
-- each look stepped over every address ever given.
create index crypto_output_address on crypto_output (chain, address);
update crypto_address set look_at = 'infinity'
  where created_at <= now() - interval '24 hours'
    or exists (select 1 from crypto_output where crypto_output.chain = crypto_address.chain
      and crypto_output.address = crypto_address.address and is_settled);
