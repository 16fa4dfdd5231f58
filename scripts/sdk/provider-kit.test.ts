import { readFileSync } from 'node:fs';
import type { DepositData, RedirectForm } from '@opencashier/contract/api';
import { CURRENCIES, decimalsOf, paidDecimals } from '@opencashier/core/money/currencies';
import type { PaymentReport } from '@opencashier/core/payment/report';
import { expect, expectTypeOf, test } from 'vitest';
import type * as kit from '../../packages/provider-kit/src/generated/payment-types.ts';
import { cashierDecimals, isoDecimals } from '../../packages/provider-kit/src/money-units.ts';
import { providerTypes } from './provider-kit.ts';

const reports = readFileSync(new URL('../../packages/core/src/payment/report.ts', import.meta.url), 'utf8');

test("[SRV-4] the kit's types of reports and of a deposit's data are those of the cashier", () => {
  expectTypeOf<kit.PaymentReport>().toEqualTypeOf<PaymentReport>();
  expectTypeOf<kit.DepositData>().toExtend<DepositData>();
  expectTypeOf<DepositData>().toExtend<kit.DepositData>();
  expectTypeOf<kit.RedirectForm>().toEqualTypeOf<RedirectForm>();
});

test('the generated types name no library and refuse a file without the reports', () => {
  expect(providerTypes(reports)).not.toMatch(/\bimport\b|valibot/);
  expect(() => providerTypes('')).toThrow(/no interface PaymentReport/);
});

test('[SRV-4] the kit knows the decimals of each currency of the cashier', () => {
  for (const { code } of CURRENCIES) {
    expect([code, cashierDecimals(code), isoDecimals(code)]).toEqual([code, decimalsOf(code), paidDecimals(code)]);
  }
  expect([cashierDecimals('XXX'), isoDecimals('eur')]).toEqual([undefined, undefined]);
});
