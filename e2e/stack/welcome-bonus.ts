/** A bonus of the sandbox's operator, as its site sends it to the cashier. */
export const welcomeBonus = {
  id: 'welcome_inr',
  type: 'deposit',
  currency: 'INR',
  content: { title: 'Welcome bonus', subtitle: 'On your first deposit' },
  depositBonusData: {
    minDeposit: '500',
    maxBonusAmount: '20000',
    percent: 100,
    payoutMultiplier: 10,
    wagerMultiplier: 30,
  },
};
