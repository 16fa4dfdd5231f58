-- Operators, users and their accounts. $users, $operators and $months are numbers.
-- Operator k has a share of about 1/k of the users: few operators are big, and most are small. The biggest is `demo`.
set local session_replication_role = replica;
create schema bench;
-- Partitions for the months of the rows.
select extend_partitions(name, now() - interval '$months months' - interval '1 month', now(), 'month') from time_partitioned where type <> 'date';
create type bench.line as (owner text, kind text, amount bigint);
insert into operator (id, partner_key, name, webhook_url, webhook_secrets, webhook_disabled_at, created_at)
select case k when 1 then 'demo' else 'op-' || k end, case k when 1 then 'demo' else 'op-' || k end, 'Operator ' || k,
  'https://operator-' || k || '.example/hook', '{secret}', now(), now() - interval '$months months'
from generate_series(1, $operators) k
on conflict (id) do update set webhook_url = excluded.webhook_url, webhook_disabled_at = excluded.webhook_disabled_at,
  created_at = excluded.created_at;
insert into operator_api_key (operator_id, key_hash, label)
select id, sha256(convert_to('sk_bench_' || id, 'UTF8')), 'bench' from operator on conflict (key_hash) do nothing;

create table bench.person as
select u, 'bench-' || u as user_id,
  case k when 1 then 'demo' else 'op-' || k end as operator_id
from (select u, case when u = 0 then 1 else floor(exp(random() * ln($operators + 1)))::int end as k
  from generate_series(0, $users - 1) u) drawn;
alter table bench.person add primary key (u);

insert into account (operator_id, owner, asset, kind, balance)
select operator_id, user_id, 'USD', kind, 0 from bench.person cross join (values ('user'), ('user_hold')) each(kind)
union all select id, provider, 'USD', 'provider_clearing', null from operator
  cross join (values ('sandbox'), ('acquirer'), ('wallet')) other(provider)
union all select id, '', 'USD', kind, null from operator
  cross join (values ('operator_clearing'), ('withdrawal_fee'), ('suspense')) each(kind);
analyze account;
analyze bench.person;
