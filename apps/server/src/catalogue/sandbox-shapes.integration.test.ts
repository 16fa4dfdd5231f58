/** Every shipped method, in every one of its currencies, with the sandbox. The sandbox knows every provider option. */
import { randomUUID } from 'node:crypto';
import { methodLimits } from '@opencashier/core/limits/limits';
import { expect, test } from 'vitest';
import { flowLifetimes } from '../providers/sandbox/payments/flow-names.ts';
import { created, deposit, setUpBench } from '../providers/sandbox/testing/bench.ts';
import { bundledFiles } from './bundled-files.ts';
import { sampleFields } from './data/withdrawal-samples.fixture.ts';
import { createShippedCatalogue } from './shipped-catalogue.fixture.ts';

const bench = setUpBench();
const catalogue = createShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox');
const namesOf = (direction: 'deposit' | 'withdrawal'): ReadonlySet<string> =>
  new Set(
    catalogue
      .countries('demo')
      .flatMap(({ code: country, currencies }) =>
        currencies.flatMap((currency) =>
          catalogue
            .list({ operatorId: 'demo', direction, country, currency, language: 'en' })
            .methods.map(({ name }) => name),
        ),
      ),
  );

test('has a shape, and the sandbox answers the request', async () => {
  const { provider } = bench().sandbox;
  const seen = new Set<string>();
  for (const name of namesOf('deposit')) {
    const method = catalogue.method({ operatorId: 'demo', name });
    expect(Object.keys(flowLifetimes), name).toContain(method?.providerOptions?.['flow']);
    seen.add(method?.providerOptions?.['flow'] ?? '');
    const country = method?.countries[0] ?? '';
    const network = method?.fields.find(({ type }) => type === 'networks')?.values?.[0]?.value;
    const fields = network === undefined ? {} : { network };
    for (const currency of Object.keys(method?.amount_rules ?? {})) {
      const { max: amountMinor = 0n } = methodLimits({ currency, rule: method?.amount_rules[currency], country });
      const intent = { depositId: randomUUID(), paymentMethod: name, amountMinor, currency, country };
      const answer = created(
        await provider.create(deposit({ ...intent, fields, providerOptions: method?.providerOptions ?? {} })),
      );
      const { source, data } = answer;
      expect(source !== undefined || data !== undefined, `${name} in ${currency}`).toBe(true);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(flowLifetimes).sort());
});

test('[WD-2] the sandbox pays out by every withdrawal method, in its currencies', async () => {
  const half = bench().sandbox.provider.withdrawals;
  for (const name of namesOf('withdrawal')) {
    const method = catalogue.method({ operatorId: 'demo', name });
    if (method === undefined) throw new Error(`${name} is listed and not there.`);
    for (const currency of Object.keys(method.amount_rules)) {
      const country = method.countries[0] ?? '';
      const { max: amountMinor = 0n } = methodLimits({ currency, rule: method.amount_rules[currency], country });
      const answer = await half?.withdraw({
        withdrawalId: randomUUID(),
        paymentMethod: name,
        amountMinor,
        receivesMinor: amountMinor,
        currency,
        country,
        fields: sampleFields(method),
        providerOptions: method.providerOptions ?? {},
        language: 'en',
        signal: new AbortController().signal,
      });
      expect(answer?.kind, `${name} in ${currency}`).toBe('accepted');
    }
  }
});

test('a network that the sandbox does not watch is a failure without a charge', async () => {
  const answer = await bench().sandbox.provider.create(deposit({ providerOptions: { flow: 'crypto', network: 'x' } }));
  expect(answer).toEqual({ kind: 'failed', code: 'unknown-network' });
});

test('an unknown shape is a failure without a charge', async () => {
  const answer = await bench().sandbox.provider.create(deposit({ providerOptions: { flow: 'toString' } }));
  expect(answer).toEqual({ kind: 'failed', code: 'unknown-flow' });
});
