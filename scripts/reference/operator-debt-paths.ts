/** What users owe, and the accounts that it freezes, in the API for the backends of operators (SRV-1, SRV-2). */
import {
  debtPageSchema,
  debtSettingsSchema,
  settledDebtSchema,
  settleRequestSchema,
} from '../../apps/server/src/operator-api/debt-schemas.ts';
import {
  frozenPageSchema,
  releasedAccountSchema,
  releaseRequestSchema,
} from '../../apps/server/src/operator-api/frozen-account-schemas.ts';
import { operation, pageParameters } from './operator-operation.ts';

export function operatorDebtPaths(): Readonly<Record<string, object>> {
  return {
    '/operator/v1/frozen-accounts': {
      get: operation({
        id: 'list-frozen-accounts',
        summary: 'Accounts that a debt has frozen, the oldest first, page by page.',
        parameters: pageParameters,
        response: frozenPageSchema,
      }),
    },
    '/operator/v1/frozen-accounts/release': {
      post: operation({
        id: 'release-frozen-account',
        summary: 'Lets money leave a frozen account again, once per `decisionId`; the debt stays as it is.',
        body: releaseRequestSchema,
        response: releasedAccountSchema,
        errors: {
          404: '`not-found`: no such account of this operator.',
          409: '`state-conflict`: the account is not frozen.',
          422: '`idempotency-conflict`: another decision had this key.',
        },
      }),
    },
    '/operator/v1/debts': {
      get: operation({
        id: 'list-debts',
        summary: 'What users owe, also where their account was released, page by page.',
        parameters: [
          { name: 'userId', in: 'query', schema: { type: 'string' } },
          { name: 'currency', in: 'query', schema: { type: 'string' } },
          ...pageParameters,
        ],
        response: debtPageSchema,
      }),
    },
    '/operator/v1/debts/settle': {
      post: operation({
        id: 'settle-debt',
        summary:
          'Pays a debt, or forgives it, once per `decisionId`; a frozen account stays frozen until it is released, unless `releasedWhenPaid` is set.',
        body: settleRequestSchema,
        response: settledDebtSchema,
        errors: {
          404: '`not-found`: no such account of this operator.',
          409: '`state-conflict`: so much is not owed (`params.debt`).',
          422: '`insufficient-funds`: the account does not cover it (`params.max`); `idempotency-conflict`: another decision had this key.',
        },
      }),
    },
    '/operator/v1/debt-settings': {
      get: operation({
        id: 'read-debt-settings',
        summary: 'Whether deposits pay debts first, and whether a paid debt releases its account.',
        response: debtSettingsSchema,
      }),
      put: operation({
        id: 'put-debt-settings',
        summary:
          'Says whether deposits pay debts first, and whether a paid debt releases its account; counts at once on every node.',
        body: debtSettingsSchema,
        response: debtSettingsSchema,
      }),
    },
  };
}
