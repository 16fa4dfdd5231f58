-- Wrong confirmation codes of a user in the last day, over all of the user's withdrawals (WD-2). Whoever judges a code locks
-- this row first, so that codes tried at once on many withdrawals are counted one after the other.
create table wrong_code (
  operator_id text not null references operator,
  user_id text not null,
  -- When each was tried; older times leave the list.
  tried_at timestamptz[] not null default '{}',
  primary key (operator_id, user_id)
);
insert into wrong_code (operator_id, user_id, tried_at)
select operator_id, user_id, array_agg(sent_at)
from withdrawal_code join withdrawal on withdrawal.id = withdrawal_id, generate_series(1, 5 - attempts_left)
where sent_at > now() - interval '1 day'
group by operator_id, user_id;
