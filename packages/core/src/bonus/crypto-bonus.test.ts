import { expect, test } from 'vitest';
import { CRYPTO_BONUS_BADGE, showsCryptoBonus } from './crypto-bonus.ts';

test('[LIST-5] the crypto bonus needs the crypto group, a schema that allows it, and group_b', () => {
  const yes = { groupNames: ['card_method', 'crypto'], isCryptoBonusAvailable: true, experimentGroup: 'group_b' };
  expect(CRYPTO_BONUS_BADGE).toBe('5%');
  expect(showsCryptoBonus(yes)).toBe(true);
  expect(showsCryptoBonus({ ...yes, groupNames: ['e-money'] })).toBe(false);
  expect(showsCryptoBonus({ ...yes, isCryptoBonusAvailable: false })).toBe(false);
  expect(showsCryptoBonus({ ...yes, experimentGroup: 'group_a' })).toBe(false);
});
