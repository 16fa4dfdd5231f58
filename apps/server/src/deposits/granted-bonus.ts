/** The bonus of a create call (BON-2, SRV-8). The client only asks; core's rules and the database's clock decide. */
import type { Bonus } from '@opencashier/contract/api';
import { bonusForCreate } from '@opencashier/core/bonus/bonus';
import { DomainError } from '../errors/domain-error.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { CreateDeposit } from './payments.ts';
import type { ValidDeposit } from './validate-deposit.ts';

/**
 * The bonus that the deposit earns; undefined when the user activated none.
 * @throws DomainError bonus-expired when the bonus on screen is no longer available: the user decides again
 */
export async function grantedBonus(
  core: PaymentsCore,
  { caller, request }: CreateDeposit,
  valid: ValidDeposit,
): Promise<Bonus | undefined> {
  const { isActivatedBonus, bonusId, currency } = request;
  if (!isActivatedBonus) return undefined;
  const { operatorId, userId } = caller;
  const { now, bonuses } = await core.bonuses.list({ operatorId, userId, currency, chosenId: bonusId });
  const bonus = bonuses.find(({ id }) => id === bonusId);
  const verdict = bonusForCreate(bonusId ?? '', {
    bonus,
    isEnabled: true,
    isRestricted: valid.method.flags.bonusRestricted === true,
    amount: { currency, minor: valid.amountMinor },
    // The paid amount is not known yet. The bonus's minimum is checked at the credit.
    isOpenAmount: valid.method.isOpenAmount === true,
    now,
  });
  if (verdict.kind !== 'apply' || bonus === undefined) {
    throw new DomainError('bonus-expired', 'The bonus is no longer available');
  }
  return bonus;
}
