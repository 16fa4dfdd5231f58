import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { findByKey } from './deposit-store.ts';
import { insertDeposits } from './insert-deposits.ts';

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

test('[SRV-6] a new row is handed on exactly as the database has it', async () => {
  const deposit = fc.record({
    userId: fc.constantFrom('ann', 'bob'),
    publicId: fc.uuid(),
    amount: fc.bigInt({ min: 1n, max: 2n ** 62n }),
    request: fc.record({
      fields: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.string().filter(isStorableText), { maxKeys: 3 }),
      returnUrl: fc.webUrl(),
      language: fc.constantFrom('en', 'pt-BR'),
    }),
    isOpenAmount: fc.boolean(),
    openLeast: fc.option(fc.bigInt({ min: 1n, max: 9n })),
    openMaximum: fc.option(fc.bigInt({ min: 10n, max: 99n })),
    box: fc.option(fc.constant({ boxId: 'small', gold: '5', sweep: '1', isCounted: true })),
    isIdTaken: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(deposit, { minLength: 1, maxLength: 9 }), async (deposits) => {
      const [first, ...others] = deposits.map((one) => ({
        ...one,
        operatorId: 'op',
        fingerprint: createHash('sha256').update(one.publicId).digest(),
        paymentMethod: 'card',
        provider: 'fake',
        currency: 'INR',
        country: 'IN',
        bonus: null,
        fee: null,
        catalogueVersion: 0,
        connectionId: null,
        connectionVersion: null,
        decision: null,
        userVersion: 0,
      }));
      if (first === undefined) return;
      for (const made of await insertDeposits(database, [first, ...others])) {
        const known = made && (await findByKey(database, made));
        const read = known?.kind === 'deposit' ? known.row : undefined;
        expect({ ...made, serverTime: 0 }).toEqual({ ...read, serverTime: 0 });
      }
    }),
    { numRuns: 20 },
  );
});
