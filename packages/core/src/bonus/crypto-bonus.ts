/** The text of the crypto bonus's badge (LIST-5). */
export const CRYPTO_BONUS_BADGE = '5%';

/** Whether the crypto bonus is shown (LIST-5). All three are needed: the crypto group, the host's schema, and group_b. */
export function showsCryptoBonus(input: {
  readonly groupNames: readonly string[];
  readonly isCryptoBonusAvailable: boolean;
  readonly experimentGroup: string | undefined;
}): boolean {
  return input.isCryptoBonusAvailable && input.experimentGroup === 'group_b' && input.groupNames.includes('crypto');
}
