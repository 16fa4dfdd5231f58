/** A project that uses every entry of the published package. The compiler reads its declarations completely. */
import { type CashierOptions, createCashier, type DepositOutcome, type Cashier as Handle } from '@opencashier/embed';
import { defineCashierElement, type OpenCashierElement } from '@opencashier/embed/element';
import { Cashier, type CashierProps } from '@opencashier/embed/react';
import { type CashierParameters, cashier as svelteAction } from '@opencashier/embed/svelte';
import { Cashier as VueCashier, type WrapperOptions } from '@opencashier/embed/vue';

const options: CashierOptions = {
  cashierUrl: 'https://pay.example.com',
  partner: 'acme',
  mode: 'modal',
  payload: { currency: 'EUR', paymentGeo: 'DE', appearance: { theme: 'auto', variables: { accent: '#7b2d8e' } } },
  getToken: async () => 'token',
  onTransaction: ({ event, depositId }) => console.log(event, depositId),
};

export const handle: Handle = createCashier(options);
export const outcome: Promise<DepositOutcome> = handle.deposit({ amount: '25.00' });
// @ts-expect-error: the declarations know the modes; a package without types would accept this one
export const wrong: CashierOptions = { ...options, mode: 'window' };

defineCashierElement();
export const element: OpenCashierElement | null = document.querySelector<OpenCashierElement>('open-cashier');

const props: CashierProps = { cashierUrl: 'https://pay.example.com', partner: 'acme', open: false };
export const react = <Cashier {...props} />;

const parameters: CashierParameters = { cashierUrl: 'https://pay.example.com', partner: 'acme' };
export const action = svelteAction(document.body, parameters);

const wrapped: WrapperOptions = parameters;
export const vue: [typeof VueCashier, WrapperOptions] = [VueCashier, wrapped];
