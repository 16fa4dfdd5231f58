-- An amount that no method takes is no amount of money but some other number, and is not kept.
alter table payment_session alter column amount drop not null;
