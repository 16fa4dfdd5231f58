-- What the payer told the sandbox company beside "I have paid", by the names of the fields that it asked for.
alter table sandbox_payment add column inputs jsonb;
