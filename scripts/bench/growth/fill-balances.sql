-- The balances of users, summed once from the postings.
set local session_replication_role = replica;
update account set balance = booked.sum
from (select account_id, sum(amount) as sum from posting group by account_id) booked
where account.id = booked.account_id and account.balance is not null;
