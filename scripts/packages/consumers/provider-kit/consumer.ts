/** A provider that uses every entry of the published package. The compiler reads its declarations completely. */
import { type CreateProvider, createHmacVerifier, type Provider, toCompanyUnits } from '@opencashier/provider-kit';
import { FakeCompany, registerConformance, type TestRunner, testDeposit } from '@opencashier/provider-kit/testing';

export const createProvider: CreateProvider = ({ secrets }): Provider => ({
  name: 'acme',
  create: async ({ amountMinor, currency }) =>
    toCompanyUnits(amountMinor, currency, 0) === undefined
      ? { kind: 'declined', code: 'whole-units-only' }
      : { kind: 'unknown', code: 'not-built' },
  inquire: async () => undefined,
  verify: createHmacVerifier({ secrets: [secrets['webhookSecret'] ?? ''], parts: () => undefined }),
  read: () => undefined,
});

// @ts-expect-error: the declarations know the answers of a create; a package without types would accept this
export const wrong: Provider['create'] = async () => ({ kind: 'maybe' });

export function runTests(runner: TestRunner): void {
  const company = new FakeCompany();
  registerConformance(runner, 'acme', {
    amounts: [testDeposit().amountMinor],
    hasRefunds: false,
    setUp: () => () => {
      throw new Error(`No bench beside ${company.secretKey}`);
    },
  });
}
