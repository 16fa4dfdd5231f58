-- What the provider said of why it declined a withdrawal or sent it back, for its user alone: the same on every device, also later.
alter table withdrawal add column decline_cause text
  check (decline_cause in ('account-details', 'account-closed', 'limit', 'name-mismatch', 'bank-unavailable'));
alter table withdrawal add column decline_message text check (char_length(decline_message) between 1 and 300);
alter table withdrawal add constraint withdrawal_decline_words_of_an_end check (
  (decline_cause is null and decline_message is null) or state in ('declined', 'returned', 'late_paid', 'late_settled'));
create trigger withdrawal_decline_words_kept before update of decline_cause, decline_message on withdrawal
  for each row when ((old.decline_cause is not null and old.decline_cause is distinct from new.decline_cause)
    or (old.decline_message is not null and old.decline_message is distinct from new.decline_message))
  execute function refuse_change();
