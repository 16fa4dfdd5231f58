import { depositStatus, methodListSchema, methodsPaymentV5 } from '@opencashier/contract/api';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { ClientError } from './client.ts';
import { createClient } from './create-client.ts';
import { readWithoutOddItems } from './odd-items.ts';
import { createInstantClock } from './testing/instant-clock.ts';

const method = (name: string, more: object = {}) => ({
  name,
  text: { en: name },
  category: 'fiat',
  cardViewType: 0,
  position: 1,
  iconIds: ['card'],
  amount_rules: { INR: { min: '1', max: '9' } },
  fields: [],
  ...more,
});
const group = (name: string, paymentMethods: unknown[]) => ({ name, label: { en: name }, paymentMethods, position: 1 });
const list = (methods: unknown[], groups: unknown[] = []) => ({ country: 'IN', currency: 'INR', methods, groups });

const read = (data: unknown) => {
  const found = readWithoutOddItems(methodListSchema, data);
  if (found === undefined) return undefined;
  const { methods, groups } = v.parse(methodListSchema, found.output);
  return {
    methods: methods.map(({ name }) => name),
    groups: groups.map(({ paymentMethods }) => paymentMethods),
    skipped: found.skipped,
  };
};

test('[LIST-1] a method with a bad name is skipped, in the list and in its group', () => {
  expect(read(list([method('m_-1'), method('upi')], [group('all', ['m_-1', 'upi'])]))).toEqual({
    methods: ['upi'],
    groups: [['upi']],
    skipped: ['groups.0.paymentMethods.0', 'methods.0.name'],
  });
});

test.each([
  ['an odd number', { position: 1e300 }, 'methods.0.position'],
  ['an odd amount', { amount_rules: { INR: { min: '-1', max: '9' } } }, 'methods.0.amount_rules.INR.min'],
  ['a fee of everything', { fees: { INR: { percent: '100' } } }, 'methods.0.fees.INR.percent'],
  ['an odd field', { fields: [{ name: 7, type: 'text' }] }, 'methods.0.fields.0.name'],
])('[LIST-1] a method with %s is skipped whole: a part of its form would be another form', (_what, more, place) => {
  expect(read(list([method('odd', more), method('upi')]))).toEqual({ methods: ['upi'], groups: [], skipped: [place] });
});

test('what is no list at all, or odd beside its items, is not read', () => {
  for (const data of [undefined, null, 7, {}, list([]).methods, { ...list([method('upi')]), currency: 'rupees' }]) {
    expect(readWithoutOddItems(methodListSchema, data)).toBeUndefined();
  }
});

test('[LIST-1] whatever stands between good items, all the good ones are read, in their order', () => {
  const odd = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    fc.constant(method('m_-1')),
    fc.double().map((position) => method('ok', { position })),
  );
  const good = fc.nat(99).map((index) => method(`good_${index}`));
  fc.assert(
    fc.property(fc.array(fc.oneof(good, odd), { maxLength: 12 }), (methods) => {
      const names = methods.flatMap((one) => {
        const name = (one as { name?: unknown } | null | undefined)?.name;
        return typeof name === 'string' && name.startsWith('good_') ? [name] : [];
      });
      expect(read(list(methods))?.methods.filter((name) => name.startsWith('good_'))).toEqual(names);
    }),
  );
});

test('[LIST-1] [ERR-3] the client reads a catalogue without its odd items and tells of them; a payment it reads whole or not at all', async () => {
  const onSkipped = vi.fn();
  const answers: Record<string, unknown> = {
    'methods-payment-v5': list([method('m_-1'), method('upi')]),
    'deposit-status': { depositId: 'odd' },
  };
  const client = createClient({
    transport: {
      name: 'http',
      exchange: async ({ name }) => ({ kind: 'answer', status: 200, data: answers[name] }),
      onPush: () => () => undefined,
      renew: () => undefined,
      close: () => undefined,
    },
    clock: createInstantClock(),
    onTokenExpired: () => undefined,
    onSkipped,
  });
  const { methods } = await client.call(methodsPaymentV5, { country: 'IN', currency: 'INR' });
  expect(methods.map(({ name }) => name)).toEqual(['upi']);
  expect(onSkipped).toHaveBeenCalledExactlyOnceWith('methods-payment-v5', ['methods.0.name']);
  await expect(client.call(depositStatus, { depositId: '3f0c7a52-3f0b-4d1e-9a67-0f6d3a1f9b11' })).rejects.toThrow(
    ClientError,
  );
});
