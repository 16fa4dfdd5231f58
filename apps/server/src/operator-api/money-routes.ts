/** Where people of an operator decide about its users' money: reviews, parked reports, refunds, approvals, frozen accounts and debts (SRV-1, SRV-3). */
import { paymentIdSchema } from '@opencashier/contract/api';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import { readRequest as read } from '../requests/invalid-request.ts';
import {
  approvalSettingsSchema,
  approveRequestSchema,
  awaitingQuerySchema,
  declineRequestSchema,
} from './approval-schemas.ts';
import { debtQuerySchema, debtSettingsSchema, settleRequestSchema } from './debt-schemas.ts';
import { changeDebtSettings, debtPage, debtSettingsOf, settleDebtOnce } from './debts.ts';
import { frozenQuerySchema, releaseRequestSchema } from './frozen-account-schemas.ts';
import { frozenPage, releaseAccountOnce } from './frozen-accounts.ts';
import { approvalSettingsOf, awaitingPage, changeApprovalSettings, decisionView } from './operator-approvals.ts';
import { resolveReviewOnce, reviewPage } from './operator-reviews.ts';
import { dismissRequestSchema, parkedQuerySchema } from './parked-report-schemas.ts';
import { dismissReportOnce, parkedPage } from './parked-reports.ts';
import { refundRequestSchema, refundView } from './refund-schemas.ts';
import { reversalQuerySchema } from './reversal-schemas.ts';
import { reversalPage } from './reversals.ts';
import { resolveRequestSchema, reviewQuerySchema } from './review-schemas.ts';

export type MoneyDecisions = Pick<
  PaymentsEngine,
  'resolveReview' | 'settleLatePayout' | 'refundDeposit' | 'decideWithdrawal'
>;

const withdrawalIdSchema = v.object({ withdrawalId: paymentIdSchema });
const depositIdSchema = v.object({ depositId: paymentIdSchema });
const reviewIdSchema = v.object({ reviewId: v.string() });
const reportParamsSchema = v.object({ reportId: v.string() });

/** @param scope whose requests are authenticated and carry their operator */
export function registerMoneyRoutes(scope: FastifyInstance, database: Database, payments: MoneyDecisions): void {
  scope.get('/reviews', async ({ operatorId = '', query }, reply) => {
    const page = await reviewPage(database, operatorId, read(reviewQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/reviews/:reviewId/resolve', async ({ operatorId = '', params, body }, reply) => {
    const { reviewId } = read(reviewIdSchema, params);
    const decided = await resolveReviewOnce(database, payments, operatorId, reviewId, read(resolveRequestSchema, body));
    return reply.header('cache-control', 'no-store').send(decided);
  });

  scope.post('/transactions/:depositId/refund', async ({ operatorId = '', params, body }, reply) => {
    const { depositId } = read(depositIdSchema, params);
    const refund = await payments.refundDeposit({ operatorId, depositId, ...read(refundRequestSchema, body) });
    return reply.header('cache-control', 'no-store').send(refundView(refund));
  });

  scope.get('/withdrawals', async ({ operatorId = '', query }, reply) => {
    const page = await awaitingPage(database, operatorId, read(awaitingQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/withdrawals/:withdrawalId/approve', async ({ operatorId = '', params, body }, reply) => {
    const { withdrawalId } = read(withdrawalIdSchema, params);
    const asked = read(approveRequestSchema, body);
    const decided = await payments.decideWithdrawal({ operatorId, withdrawalId, decision: 'approve', ...asked });
    return reply.header('cache-control', 'no-store').send(decisionView(decided));
  });

  scope.post('/withdrawals/:withdrawalId/decline', async ({ operatorId = '', params, body }, reply) => {
    const { withdrawalId } = read(withdrawalIdSchema, params);
    const asked = read(declineRequestSchema, body);
    const decided = await payments.decideWithdrawal({ operatorId, withdrawalId, decision: 'decline', ...asked });
    return reply.header('cache-control', 'no-store').send(decisionView(decided));
  });

  scope.get('/parked-reports', async ({ operatorId = '', query }, reply) => {
    const page = await parkedPage(database, operatorId, read(parkedQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/parked-reports/:reportId/dismiss', async ({ operatorId = '', params, body }, reply) => {
    const { reportId } = read(reportParamsSchema, params);
    const dismissed = await dismissReportOnce(database, operatorId, reportId, read(dismissRequestSchema, body));
    return reply.header('cache-control', 'no-store').send(dismissed);
  });

  scope.get('/reversals', async ({ operatorId = '', query }, reply) => {
    const page = await reversalPage(database, operatorId, read(reversalQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.get('/frozen-accounts', async ({ operatorId = '', query }, reply) => {
    const page = await frozenPage(database, operatorId, read(frozenQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/frozen-accounts/release', async ({ operatorId = '', body }, reply) => {
    const released = await releaseAccountOnce(database, operatorId, read(releaseRequestSchema, body));
    return reply.header('cache-control', 'no-store').send(released);
  });

  scope.get('/debts', async ({ operatorId = '', query }, reply) => {
    const page = await debtPage(database, operatorId, read(debtQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/debts/settle', async ({ operatorId = '', body }, reply) => {
    const settled = await settleDebtOnce(database, operatorId, read(settleRequestSchema, body));
    return reply.header('cache-control', 'no-store').send(settled);
  });

  scope.get('/debt-settings', async ({ operatorId = '' }, reply) =>
    reply.header('cache-control', 'no-store').send(await debtSettingsOf(database, operatorId)),
  );

  scope.put('/debt-settings', async ({ operatorId = '', body }, reply) => {
    const written = await changeDebtSettings(database, operatorId, read(debtSettingsSchema, body));
    return reply.header('cache-control', 'no-store').send(written);
  });

  scope.get('/approval-settings', async ({ operatorId = '' }, reply) =>
    reply.header('cache-control', 'no-store').send(await approvalSettingsOf(database, operatorId)),
  );

  scope.put('/approval-settings', async ({ operatorId = '', body }, reply) => {
    const settings = read(approvalSettingsSchema, body);
    const written = await changeApprovalSettings(database, operatorId, () => settings);
    return reply.header('cache-control', 'no-store').send(written);
  });
}
