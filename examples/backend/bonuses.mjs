/** Which bonuses a user of this site sees (docs/bonuses.md). A real site asks its CRM. */

/**
 * The function for `handleBonusCall`: the first deposit of a user gets free spins. They are no money, so nothing is booked. `bonusSpins` of
 * the webhook `deposit.processed` tells the games how many.
 *
 * @param {(userId: string) => boolean} isKnown whether the user has ever moved money here
 * @returns {import('@opencashier/server').BonusHandlers['bonuses']}
 */
export function createBonusEngine(isKnown) {
  return ({ userId, currency = 'EUR' }) => {
    if (isKnown(userId)) return [];
    return [
      {
        id: `first-deposit-${currency}`,
        type: 'freespin',
        currency,
        title: { en: 'Free spins', de: 'Freispiele' },
        freespinBonusData: { count: 20, minDeposit: '10', maxSpinWin: '5', payoutMultiplier: 1, wagerMultiplier: 30 },
      },
    ];
  };
}
