/** Columns that no statement may change once they are set, whatever the application does (SRV-2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateFilled } from './filled-database.fixture.ts';
import { constraintOf } from './pool-database.ts';
import { rolledBack } from './testing/rolled-back.fixture.ts';
import { openEmptyTestDatabase, type TestDatabase } from './testing/test-database.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openEmptyTestDatabase();
  await migrateFilled(opened.database);
});
afterAll(() => opened.drop());

/** The constraint that refuses a statement at once, before any rule of the commit. */
const refusalOf = (text: string): Promise<string | undefined> =>
  rolledBack(opened.database, async (transaction) => {
    await transaction.query({ text });
    return 'accepted';
  }).catch(constraintOf);

test.each([
  // The trigger behind each: deposit_box_kept, deposit_open_kept, withdrawal_payout_kept, withdrawal_rate_time_kept,
  // withdrawal_decline_words_kept.
  ['the coin box of a deposit', `update deposit set box = '{"boxId": "large"}' where box is not null`],
  ['the absent coin box of a deposit', `update deposit set box = '{"boxId": "large"}' where provider_ref = 'pay-8'`],
  ['the least amount of an open deposit', `update deposit set open_least = 1 where open_amount`],
  ['the most of an open deposit', `update deposit set open_most = 1 where open_amount`],
  ['the deposit that another one continues', `update deposit set further_of = id where open_amount`],
  ['the currency of a payout', `update withdrawal set payout_currency = 'EUR' where payout_currency is not null`],
  ['the amount of a payout', 'update withdrawal set payout_amount = 1 where payout_currency is not null'],
  ['the rate of a payout', `update withdrawal set payout_rate = '1' where payout_currency is not null`],
  [
    'the time of the rate of a payout',
    'update withdrawal set payout_rate_at = now() where payout_currency is not null',
  ],
  ['the cause of a decline', `update withdrawal set decline_cause = 'limit' where decline_cause is not null`],
  // crypto_address_kept, crypto_output_kept.
  ['the deposit of an address', 'update crypto_address set deposit_id = gen_random_uuid()'],
  ['the place of an address in its series', 'update crypto_address set index = 77'],
  ['the asset of an address', `update crypto_address set contract = 'other'`],
  ['the address of a payment on a chain', `update crypto_output set address = 'other'`],
  ['the asset of a payment on a chain', `update crypto_output set contract = 'other'`],
  ['the message of a decline', `update withdrawal set decline_message = 'No.' where decline_message is not null`],
])('[SRV-2] nobody changes %s', async (_what, text) => {
  expect(await refusalOf(text)).toBe('ledger_immutable');
});

test('[SRV-1] every change of the bonuses of an operator is in their history, with the next version', async () => {
  const change = `update bonus_settings set version = version + 1, bonuses = '[{"id": "new"}]', staff = 'kim' where operator_id = 'acme'`;
  const history = await rolledBack(opened.database, async (transaction) => {
    await transaction.query({ text: change });
    return transaction.query({
      text: `select version, bonuses, staff from bonus_change where operator_id = 'acme' order by version desc limit 1`,
    });
  });
  expect(history).toEqual([{ version: 2, bonuses: [{ id: 'new' }], staff: 'kim' }]);
  expect(await refusalOf(change.replace('version + 1', 'version + 2'))).toBe('bonus_version_moves');
});
