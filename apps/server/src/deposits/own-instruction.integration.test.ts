/** An operator's own instruction of a method reaches the payer where the provider sends none. */
import { expect, test } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { type Bench, commandOf, createFakeCatalogue } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';

const fake = createFakeCatalogue();
const instruction = { en: ['Open your app.', 'Scan the code.'], de: ['App öffnen.'] };
const catalogue: Catalogue = {
  ...fake,
  started: (operatorId, name) => {
    const method = fake.started(operatorId, name);
    return method && { ...method, instruction };
  },
};
let bench: Bench;
withPayments(
  (made: { database: Database; bench: Bench }) => {
    ({ bench } = made);
  },
  { options: () => ({ catalogue }) },
);

test.each([
  ['en', ['Open your app.', 'Scan the code.']],
  ['de-AT', ['App öffnen.']],
  ['fr', ['Open your app.', 'Scan the code.']],
])('[DEP-5] in the language of the payer: %s', async (language, steps) => {
  bench.provider.onCreate = async ({ depositId }) => ({
    kind: 'created',
    providerRef: `ref-${depositId}`,
    data: { qrCodeText: 'code' },
  });
  const answer = await bench.payments.createDeposit({ ...commandOf(), language });
  expect(answer.apiResponse?.data?.instruction).toEqual({
    steps: steps.map((stepInstruction, index) => ({ stepNumber: index + 1, stepInstruction })),
  });
});

test('[DEP-5] the provider’s own instruction stays', async () => {
  bench.provider.onCreate = async ({ depositId }) => ({
    kind: 'created',
    providerRef: `ref-${depositId}`,
    data: { qrCodeText: 'code', instruction: { text: 'Pay now.' } },
  });
  const answer = await bench.payments.createDeposit(commandOf());
  expect(answer.apiResponse?.data?.instruction).toEqual({ text: 'Pay now.' });
});
