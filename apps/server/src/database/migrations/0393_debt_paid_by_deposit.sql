-- What of a credited deposit went to its user's debt, so that they are told that it is not on their balance (SRV-2, DEP-15).
alter table deposit add column paid_debt bigint check (paid_debt > 0 and paid_debt <= credited);
