/** Handlers of a user's token, balances, transfers and bonuses (SRV-1). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import { findCurrency } from '@opencashier/core/money/currencies';
import type { Bonuses } from '../../bonuses/bonuses.ts';
import type { ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { addUserNote } from '../../operators/user-controls.ts';
import type { UserTokens } from '../../operators/user-tokens.ts';
import type { Handlers } from '../register-endpoint.ts';
import { changeUserOf } from './change-user.ts';
import { transferFunds } from './transfer-funds.ts';
import { allBalancesOf, balancesOf } from './user-balances.ts';
import { userViewOf } from './user-view.ts';

export function userHandlers(
  ports: { readonly database: Database; readonly shipped: ShippedCatalogue | undefined },
  tokens: UserTokens,
  bonuses: Bonuses,
): Handlers<typeof operatorEndpoints.users> {
  const { database } = ports;
  return {
    async createUserToken({ operatorId, body: { userId, currency, country } }) {
      if (!findCurrency(currency)) {
        const fields = [{ path: 'currency', message: 'The currency is unknown.' }];
        throw new DomainError('invalid-request', 'The cashier does not know this currency.', { fields });
      }
      const { token, expiresAt } = await tokens.issue({ operatorId, userId, currency, country });
      return { token, expiresAt: new Date(expiresAt).toISOString() };
    },

    readBalances: ({ operatorId, params: { userId } }) => allBalancesOf(database, operatorId, userId),

    readUser: ({ operatorId, params: { userId } }) => userViewOf(database, operatorId, userId),

    async patchUser({ operatorId, keyId, params: { userId }, body: { staff: by, ...change } }) {
      await changeUserOf(ports, operatorId, userId, { by, keyId }, change);
      return userViewOf(database, operatorId, userId);
    },

    async addUserNote({ operatorId, keyId, params: { userId }, body: { staff: by, note } }) {
      await addUserNote(database, operatorId, userId, { by, keyId }, note);
      return userViewOf(database, operatorId, userId);
    },

    transfer: ({ operatorId, params: { userId }, body }) => transferFunds(database, operatorId, userId, body),

    async readBonuses({ operatorId, params: { userId }, query: { currency, locale } }) {
      const offered = await bonuses.list({ operatorId, userId, currency, language: locale });
      return {
        userId,
        bonuses: [...offered.bonuses],
        source: offered.source,
        balances: await balancesOf(database, operatorId, userId, 'bonus'),
      };
    },
  };
}
