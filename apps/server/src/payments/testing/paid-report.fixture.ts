/** Inserts a report of a payment with its body, as the triggers and the application would, also while the triggers are off. */
export function paidReport(
  kind: 'deposit' | 'withdrawal',
  payment: string,
  amount: number,
  status: 'applied' | 'parked' = 'applied',
): string {
  const eventId = `by-hand-${payment}`;
  const body = JSON.stringify({ provider: 'fake', eventId, outcome: 'paid', paidMinor: `${amount}`, currency: 'INR' });
  const told = `insert into event_body (body) select '${body}' where '${status}' = 'applied' returning id`;
  return `with told as (${told})
    insert into ${kind}_event (provider, event_id, body, body_id, body_hash, reported, paid, currency, ${kind}_id, status, outcome)
    select 'fake', '${eventId}', case '${status}' when 'parked' then '${body}'::jsonb end, (select id from told), '', 'paid', ${amount},
      'INR', '${payment}', '${status}', 'by hand'`;
}
