import type { MethodList } from '@opencashier/contract/api';
import { CRYPTO_BONUS_BADGE, showsCryptoBonus } from '@opencashier/core/bonus/crypto-bonus';
import { depositListRequest } from '../../api/fetch-methods.ts';
import type { Session } from '../session/services.tsx';

/** The group that the bonus on crypto belongs to (section 3). */
export const CRYPTO_GROUP = 'crypto';

/** The badge of the bonus on crypto (LIST-5), if the host and the user's experiment group allow it. */
export function cryptoBonusText(list: MethodList, session: Session): string | undefined {
  const isShown = showsCryptoBonus({
    groupNames: list.groups.map(({ name }) => name),
    isCryptoBonusAvailable: session.payload.schema.meta.isCryptoBonusAvailable === true,
    experimentGroup: depositListRequest(session).abTestGroup,
  });
  return isShown ? CRYPTO_BONUS_BADGE : undefined;
}
