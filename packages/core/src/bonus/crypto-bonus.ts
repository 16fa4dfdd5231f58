/** The text of the crypto bonus's badge (LIST-5). */
export const CRYPTO_BONUS_BADGE = '5%';

/**
 * Whether the crypto bonus is shown (LIST-5): the crypto group exists, the host's schema allows the bonus, and the
 * experiment group is group_b.
 */
export function showsCryptoBonus(question: {
  readonly groupNames: readonly string[];
  readonly isCryptoBonusAvailable: boolean;
  readonly experimentGroup: string | undefined;
}): boolean {
  return (
    question.isCryptoBonusAvailable && question.experimentGroup === 'group_b' && question.groupNames.includes('crypto')
  );
}
