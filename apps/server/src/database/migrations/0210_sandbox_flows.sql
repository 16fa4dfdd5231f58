-- In which shape the sandbox company answers, and on which chain a payment of coins is awaited.
alter table sandbox_payment add column flow text not null default 'redirect';
alter table sandbox_payment add column network text;
alter table sandbox_payment add column coin text;
