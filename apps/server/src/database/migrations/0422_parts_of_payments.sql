-- What was sent to a provider to create a payment, where the provider wants the same request again under the same key (SRV-6).
create table provider_request (
  deposit_id uuid primary key references deposit,
  request text not null,
  at timestamptz not null default now()
);
create trigger provider_request_immutable before update on provider_request for each row execute function refuse_change();

-- The operator's list of money that was taken back, newest first.
create index journal_reversals on journal (operator_id, at desc, id desc) where kind = 'deposit_reversal';
