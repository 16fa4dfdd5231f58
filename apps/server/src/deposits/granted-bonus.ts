/** The bonus of a create call: what the client says is an intent, decided by core's rules and the database's clock (BON-2, SRV-8). */
import type { Bonus } from '@opencashier/contract/api';
import { bonusForCreate } from '@opencashier/core/bonus/bonus';
import { DomainError } from '../errors/domain-error.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import type { CreateDeposit } from './payments.ts';
import type { ValidDeposit } from './validate-deposit.ts';

/**
 * The bonus that the deposit earns; undefined when none was on screen as activated.
 * @throws DomainError bonus-expired when the one on screen is not to be had any more: the person is asked again
 */
export async function grantedBonus(
  core: PaymentsCore,
  { caller, request }: CreateDeposit,
  valid: ValidDeposit,
): Promise<Bonus | undefined> {
  const { isActivatedBonus, bonusId, currency } = request;
  if (!isActivatedBonus) return undefined;
  const [clock] = await core.database.query<{ now: Date }>({ name: 'clock', text: 'select now() as now' });
  if (clock === undefined) throw new Error('The database has no clock');
  const now = clock.now.getTime();
  const offered = core.bonuses?.list({ operatorId: caller.operatorId, userId: caller.userId, now }) ?? [];
  const bonus = offered.find(({ id }) => id === bonusId);
  const verdict = bonusForCreate(bonusId ?? '', {
    bonus,
    isEnabled: true,
    isRestricted: valid.method.flags.bonusRestricted === true,
    amount: { currency, minor: valid.amountMinor },
    // What will come is not known yet; the bonus's minimum is held against what is credited.
    isOpenAmount: valid.method.isOpenAmount === true,
    now,
  });
  if (verdict.kind !== 'apply' || bonus === undefined) {
    throw new DomainError('bonus-expired', 'The bonus is not to be had any more');
  }
  return bonus;
}
