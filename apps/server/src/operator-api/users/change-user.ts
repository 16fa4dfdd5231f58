/** Changes what staff set for a user after all checks, for the API and the command line (SRV-1). */
import type { UserChange } from '@opencashier/contract/operator';
import { checkRuleMethods } from '../../catalogue/rule-methods.ts';
import type { ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';
import type { Database } from '../../database/database.ts';
import type { Actor } from '../../operators/setting-history.ts';
import { changeUserControls } from '../../operators/user-controls.ts';

/**
 * @param shipped absent: the names of methods are not checked
 * @throws DomainError invalid-request; see `changeUserControls` and `checkRuleMethods`
 */
export async function changeUserOf(
  { database, shipped }: { readonly database: Database; readonly shipped: ShippedCatalogue | undefined },
  operatorId: string,
  userId: string,
  actor: Actor,
  change: Pick<UserChange, 'limits' | 'block'>,
): Promise<void> {
  if (shipped !== undefined) {
    const rules = (change.limits ?? []).map(({ paymentMethod: method, direction, currency: code }, index) => ({
      path: `limits.${index}.paymentMethod`,
      method,
      direction,
      currency: { path: `limits.${index}.currency`, code },
    }));
    await checkRuleMethods(database, shipped, operatorId, rules);
  }
  await changeUserControls(database, operatorId, userId, actor, change);
}
