-- People decide about money in suspense by name (SRV-3): each time that a deposit comes under review is a review of its own, so
-- that a decision that is told twice never decides about the money of another one.
alter table deposit add column reviews int not null default 0, add column review_since timestamptz;
update deposit set reviews = 1, review_since = updated_at where review is not null;

create function count_review() returns trigger language plpgsql as $$
begin
  if new.review is not null and old.review is null then
    new.reviews := old.reviews + 1;
    new.review_since := now();
  elsif new.review is null then
    new.review_since := null;
  end if;
  return new;
end $$;
create trigger deposit_review_counted before update on deposit for each row execute function count_review();
create index deposit_review_listed on deposit (operator_id, review_since) where review is not null;
create index withdrawal_review_listed on withdrawal (operator_id) where state = 'late_paid';

create table review_decision (
  operator_id text not null references operator,
  -- Such as deposit-<id>-1.
  review_id text not null primary key,
  decision text not null check (decision in ('credit', 'refund', 'charge', 'bear')),
  staff text not null,
  at timestamptz not null default now()
);
create trigger review_decision_immutable before update or delete on review_decision
  for each row execute function refuse_change();
