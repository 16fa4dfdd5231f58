import { endToEndIdOf, paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test } from 'vitest';
import { readBankMessage } from './read-bank-message.ts';

const [a, b] = ['9b2e0f4c-0000-4000-8000-00000000000a', '9b2e0f4c-0000-4000-8000-00000000000b'];
const details = (id: string, more: string): string =>
  `<TxDtls><Refs><EndToEndId>${endToEndIdOf(id)}</EndToEndId></Refs>${more}</TxDtls>`;
const amount = (euros: string): string => `<Amt Ccy="EUR">${euros}</Amt>`;
const entry = (euros: string, inside: string): string =>
  `<Ntry>${amount(euros)}<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls>${inside}</NtryDtls></Ntry>`;

/** Entries of a notification, all on one line of the file, as banks write them. */
async function factsOf(...entries: readonly string[]) {
  const text = `<Document><BkToCstmrDbtCdtNtfctn><Ntfctn>${entries.join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
  return (await readBankMessage(Buffer.from(text))).facts;
}

test('[WD-2] a transfer that comes back inside of a debit is no payment', async () => {
  const inside = details(a, amount('30.00')) + details(b, `${amount('20.00')}<CdtDbtInd>CRDT</CdtDbtInd>`);
  expect(await factsOf(entry('10.00', inside))).toMatchObject([
    { kind: 'booked', withdrawalId: a, amount: 3000n },
    { kind: 'returned', withdrawalId: b, amount: 2000n },
  ]);
});

test('[WD-2] a credit that names a whole file alone is read, too', async () => {
  const batch = `<Btch><PmtInfId>${paymentInformationIdOf(a)}</PmtInfId></Btch>`;
  const [fact] = await factsOf(entry('30.00', batch).replace('DBIT', 'CRDT'));
  expect(fact).toMatchObject({ kind: 'returned', fileId: a, amount: 3000n });
});

test('[WD-2] transfers without amounts of their own share their entry, and no other one', async () => {
  const facts = await factsOf(
    entry('30.00', details(a, '') + details(b, '')),
    entry('10.00', details(a, '') + details(b, '')),
  );
  const entries = facts.map((fact) => fact.entry);
  expect(entries).toEqual([{ amount: 3000n }, { amount: 3000n }, { amount: 1000n }, { amount: 1000n }]);
  expect(entries[0]).toBe(entries[1]);
  expect(entries[0]).not.toBe(entries[2]);
});
