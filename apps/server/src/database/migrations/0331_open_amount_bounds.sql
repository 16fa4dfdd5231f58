-- Within which an open amount is credited by itself: the method's limits at the create. Null: there was none.
alter table deposit add column open_least bigint check (open_least > 0);
alter table deposit add column open_most bigint check (open_most > 0);
-- The deposit whose address this money came to as a further transfer.
alter table deposit add column further_of uuid references deposit;
create trigger deposit_open_kept before update of open_least, open_most, further_of on deposit
  for each row execute function refuse_change();
