-- Whether a frozen account is released when its debt is paid; unless the operator says so, only people release one (SRV-1, SRV-2).
alter table operator add column accounts_released_when_paid boolean not null default false;
