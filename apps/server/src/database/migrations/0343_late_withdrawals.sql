-- A provider that pays after the money was given back: what it paid lies in suspense until people decide. Nothing is taken from
-- the user by itself.
insert into withdrawal_state (state, rank, hold) values ('late_paid', 85, 'void'), ('late_settled', 95, 'void');
insert into withdrawal_transition (from_state, to_state) values
  ('declined', 'late_paid'), ('cancelled', 'late_paid'), ('expired', 'late_paid'), ('late_paid', 'late_settled');
