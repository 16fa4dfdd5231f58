-- Beside the amount of one withdrawal, what a user withdraws in 24 hours can ask for approval (SRV-1); one of the two at least.
alter table approval_threshold alter column one drop not null;
alter table approval_threshold add column day bigint check (day >= 0);
alter table approval_threshold add constraint approval_threshold_says check (one is not null or day is not null);
alter table approval_threshold add constraint approval_threshold_second check (two is null or one is not null);

-- Why it waits, for the people who decide: by its own amount, or by what its user withdrew before.
alter table withdrawal add column approval_because text check (approval_because in ('amount', 'day'));
update withdrawal set approval_because = 'amount' where state = 'awaiting_approval';
