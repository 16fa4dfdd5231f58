-- Money that had left and came back, and that the provider took once more: by which journal. A reversal of the whole payment takes
-- everything that is there, so it takes several returned sums by one journal. Each sum is taken once.
create table returned_sum_taken (
  -- The journal by which the sum came back (`suspense_in`).
  returned_id uuid primary key references journal,
  -- The reversal that took it, or the `suspense_out` that took it out of suspense alone.
  taken_by uuid not null references journal
);
create trigger returned_sum_taken_immutable before update or delete on returned_sum_taken
  for each row execute function refuse_change();
create trigger returned_sum_taken_not_truncated before truncate on returned_sum_taken
  for each statement execute function refuse_change();
