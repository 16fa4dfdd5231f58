/** Handlers of decisions about users' money: reviews, reports, refunds, approvals, frozen accounts and debts (SRV-1, SRV-3). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { byApi } from '../../operators/setting-history.ts';
import type { PaymentsEngine } from '../../payment-service/payments-engine.ts';
import type { Handlers } from '../register-endpoint.ts';
import { dismissReportOnce, parkedPage } from '../reports/parked-reports.ts';
import { reversalPage } from '../reports/reversals.ts';
import { approvalSettingsOf, awaitingPage, changeApprovalSettings, decisionView } from './approvals.ts';
import { claimDebtOnce } from './claim-debt.ts';
import { changeDebtSettings, debtPage, debtSettingsOf, settleDebtOnce } from './debts.ts';
import { frozenPage, releaseAccountOnce } from './frozen-accounts.ts';
import { refundView } from './refund-view.ts';
import { resolveReviewOnce, reviewPage } from './reviews.ts';

export type MoneyDecisions = Pick<
  PaymentsEngine,
  'resolveReview' | 'settleLatePayout' | 'refundDeposit' | 'decideWithdrawal'
>;

type MoneyHandlers = Handlers<typeof operatorEndpoints.money>;

export function moneyHandlers(database: Database, payments: MoneyDecisions): MoneyHandlers {
  return {
    async refundDeposit({ operatorId, keyId, params, body }) {
      return refundView(await payments.refundDeposit({ operatorId, keyId, ...params, ...body }));
    },
    listReviews: ({ operatorId, query }) => reviewPage(database, operatorId, query),
    resolveReview: ({ operatorId, keyId, params: { reviewId }, body }) =>
      resolveReviewOnce(database, payments, operatorId, reviewId, { ...body, keyId }),
    listParkedReports: ({ operatorId, query }) => parkedPage(database, operatorId, query),
    dismissParkedReport: ({ operatorId, keyId, params: { reportId }, body }) =>
      dismissReportOnce(database, operatorId, reportId, body, keyId),
    listReversals: ({ operatorId, query }) => reversalPage(database, operatorId, query),
    listAwaitingWithdrawals: ({ operatorId, query }) => awaitingPage(database, operatorId, query),
    async approveWithdrawal({ operatorId, keyId, params, body }) {
      return decisionView(
        await payments.decideWithdrawal({ operatorId, ...params, decision: 'approve', keyId, ...body }),
      );
    },
    async declineWithdrawal({ operatorId, keyId, params, body }) {
      return decisionView(
        await payments.decideWithdrawal({ operatorId, ...params, decision: 'decline', keyId, ...body }),
      );
    },
    readApprovalSettings: ({ operatorId }) => approvalSettingsOf(database, operatorId),
    putApprovalSettings: ({ operatorId, keyId, body: { staff: by = byApi, ...settings } }) =>
      changeApprovalSettings(database, operatorId, { by, keyId }, (known) => ({
        ...settings,
        differentKeys: settings.differentKeys ?? known.differentKeys,
      })),
    listFrozenAccounts: ({ operatorId, query }) => frozenPage(database, operatorId, query),
    releaseAccount: ({ operatorId, keyId, body }) => releaseAccountOnce(database, operatorId, body, keyId),
    listDebts: ({ operatorId, query }) => debtPage(database, operatorId, query),
    settleDebt: ({ operatorId, keyId, body }) => settleDebtOnce(database, operatorId, body, keyId),
    claimDebt: ({ operatorId, keyId, body }) => claimDebtOnce(database, operatorId, body, keyId),
    readDebtSettings: ({ operatorId }) => debtSettingsOf(database, operatorId),
    putDebtSettings: ({ operatorId, keyId, body: { staff: by = byApi, ...settings } }) =>
      changeDebtSettings(database, operatorId, { by, keyId }, settings),
  };
}
