import { expect, test } from 'vitest';
import { describeBox, NO_BOX_SELECTED_MESSAGE, SWEEPSTAKE_AFTER_FAILURE } from './coin-box.ts';

const box = {
  boxId: 'b1',
  price: '19.99',
  priceCurrencyCode: 'USD',
  currenciesList: [
    { currency: 'GC', main: '200000', free: '5000' },
    { currency: 'SC', main: '0', free: '20.50' },
  ],
};

test('[SWP-1] a box shows its gold coins, its free sweep coins and its price', () => {
  expect(describeBox(box, 'en')).toEqual({
    boxId: 'b1',
    gcAmount: '205000.00',
    scAmount: '20.50',
    formattedPrice: '$19.99',
  });
});

test('[SWP-1] [AMT-9] QGC counts as QSC, and sweep coins are only free', () => {
  const other = { ...box, currenciesList: [{ currency: 'QGC', main: '7', free: '3' }] };
  expect(describeBox(other, 'en')).toMatchObject({ scAmount: '3.00', gcAmount: '0.00' });
});

test('an unreadable amount counts as zero, and an unreadable price is shown unchanged', () => {
  const broken = { ...box, price: 'free', currenciesList: [{ currency: 'GC', main: '1e9', free: '1' }] };
  expect(describeBox(broken, 'en')).toMatchObject({ gcAmount: '1.00', formattedPrice: 'free USD' });
});

test('[SWP-3] a failed request shows no boxes, no rate and empty balances', () => {
  expect(NO_BOX_SELECTED_MESSAGE).toBe('No sweepstake box selected for sweepstake deposit');
  expect(SWEEPSTAKE_AFTER_FAILURE).toEqual({ boxes: [], rate: null, balances: { GC: '0', SC: '0' } });
});
