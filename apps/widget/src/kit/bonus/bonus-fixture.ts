import type { Bonus, PaymentMethod } from '@opencashier/contract/api';
import { cardMethod, indiaCatalogue } from '../method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../session/services-fixture.ts';

/** A deposit bonus in rupees: 100 % of a deposit from 500, up to 20 000. */
export function bonusFixture(id: string, more: Partial<Bonus> = {}): Bonus {
  return {
    id,
    type: 'deposit',
    currency: 'INR',
    content: { title: `Bonus ${id}` },
    depositBonusData: {
      minDeposit: '500',
      maxBonusAmount: '20000',
      percent: 100,
      payoutMultiplier: 10,
      wagerMultiplier: 30,
    },
    ...more,
  };
}

export function spinsFixture(id: string, more: Partial<Bonus> = {}): Bonus {
  const { depositBonusData: _data, ...bonus } = bonusFixture(id);
  return {
    ...bonus,
    type: 'freespin',
    freespinBonusData: {
      count: 50,
      minDeposit: '1000',
      maxSpinWin: '250.50',
      payoutMultiplier: 3,
      wagerMultiplier: 30,
      gamesContent: [{ nameEn: 'Sand Dunes' }, { nameEn: '<b>Pyramid</b>' }],
    },
    ...more,
  };
}

/** A user to whom the host grants bonuses. */
export function bonusServices(bonusList: Bonus[], more: Partial<PaymentMethod> = {}) {
  const { prefilledAmount: _amount, ...plain } = cardMethod;
  const method = { ...plain, fields: [], ...more };
  return createFixtureServices(
    {
      'methods-payment-v5': { ...indiaCatalogue, methods: [method, ...indiaCatalogue.methods.slice(2)] },
      'deposit-limits': { currency: 'INR', min: '0', max: '0' },
      'session-start': { paymentSessionId: 'session-1' },
    },
    { session: createSession({}, { bonusList }) },
  );
}
