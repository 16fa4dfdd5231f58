import { writeCreditTransfers } from '@opencashier/core/sepa/credit-transfer-file';
import { publishedChecks } from '@opencashier/core/sepa/credit-transfer-schema.fixture';
import { expect, test } from 'vitest';
import { readBankMessage } from './read-bank-message.ts';
import { answersTo } from './sandbox-bank.ts';

const fileId = '01234567-89ab-4cde-8f01-23456789abcd';
const transfer = (n: number, amountMinor: bigint) => ({
  withdrawalId: `9b2e0f4c-0000-4000-8000-00000000000${n}`,
  amountMinor,
  name: 'Ann Example',
  iban: 'DE02120300000000202051',
});
const content = writeCreditTransfers({
  version: 'pain.001.001.09',
  fileId,
  createdAt: 0,
  debtor: { name: 'Casino', iban: 'DE89370400440532013000' },
  executionDay: '2026-02-02',
  isInstant: false,
  isBatchBooked: true,
  transfers: [transfer(1, 2000n), transfer(2, 2010n), transfer(3, 2013n), transfer(4, 2004n)],
});

test('[WD-2] the bank of the sandbox answers in messages that banks could send', async () => {
  const answers = await answersTo(content, '2026-02-02T09:00:00.000Z');
  const [report = '', statement = ''] = Object.values(answers);
  for (const { validate } of publishedChecks('pain.002.001.10')) validate(report);
  for (const { validate } of publishedChecks('camt.053.001.08')) validate(statement);
  expect(await readBankMessage(Buffer.from(report))).toMatchObject({
    kind: 'pain.002',
    facts: [{ status: 'ACSP' }, { status: 'RJCT', reason: 'AC04' }, { status: 'ACSP' }, { fileId, ofAll: 'PART' }],
  });
  const { facts } = await readBankMessage(Buffer.from(statement));
  expect(facts.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['booked', 2000n],
    ['booked', 2013n],
    ['returned', 2013n],
  ]);
  // The same file has the same answers, so a second play changes nothing.
  expect(await answersTo(content, '2026-02-02T09:00:00.000Z')).toEqual(answers);
});
