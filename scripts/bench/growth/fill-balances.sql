-- The balances of users, summed once from the postings.
set local session_replication_role = replica;
update account set balance = booked.sum
from (select operator_id, account_id, sum(amount) as sum from posting group by operator_id, account_id) booked
where account.operator_id = booked.operator_id and account.id = booked.account_id and account.balance is not null;
