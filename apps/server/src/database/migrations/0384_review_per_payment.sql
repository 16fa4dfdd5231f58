-- A review is about one payment (SRV-3): of a second payment and of money that came back this names it by its reference; null: the
-- deposit's own. What came meanwhile has a review of its own when that one ends.
alter table deposit add column review_ref text;
update deposit set review_ref = (
    select journal.ext_ref from journal where journal.deposit_id = deposit.id and journal.kind = 'suspense_in'
      and journal.ext_ref is distinct from deposit.provider_ref
      and (journal.note is not distinct from 'returned') = (deposit.review = 'returned')
      and not exists (select 1 from journal back where back.kind = 'suspense_out'
        and back.ext_source = journal.ext_source and back.ext_ref = journal.ext_ref)
    order by journal.at, journal.ext_ref limit 1)
  where review in ('second-payment', 'returned');

-- As before, and a review that gives way to one about another payment is another review.
create or replace function count_review() returns trigger language plpgsql as $$
begin
  if new.review is not null and (old.review is null
    or (new.review, new.review_ref) is distinct from (old.review, old.review_ref)) then
    new.reviews := old.reviews + 1;
    new.review_since := now();
  elsif new.review is null then
    new.review_since := null;
  end if;
  return new;
end $$;

-- How often a provider has told that a deposit's money is gone.
create index evidence_of_reversal on evidence (deposit_id) where body ->> 'outcome' = 'reversed';
