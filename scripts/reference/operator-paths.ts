/** The API for the backends of operators, for the OpenAPI page (SRV-1). */

import {
  approvalSettingsSchema,
  approveRequestSchema,
  awaitingPageSchema,
  decisionResponseSchema,
  declineRequestSchema,
} from '../../apps/server/src/operator-api/approval-schemas.ts';
import {
  catalogueRequestSchema,
  catalogueResponseSchema,
  changesResponseSchema,
  groupRequestSchema,
  methodRequestSchema,
} from '../../apps/server/src/operator-api/catalogue-schemas.ts';
import {
  balancesResponseSchema,
  bonusesResponseSchema,
  transactionPageSchema,
  transferRequestSchema,
  transferResponseSchema,
  userTokenRequestSchema,
  userTokenResponseSchema,
} from '../../apps/server/src/operator-api/operator-schemas.ts';
import {
  dismissedReportSchema,
  dismissRequestSchema,
  parkedPageSchema,
  unmatchedPageSchema,
} from '../../apps/server/src/operator-api/parked-report-schemas.ts';
import { lookupQuerySchema, lookupResponseSchema } from '../../apps/server/src/operator-api/payment-lookup-schemas.ts';
import { refundRequestSchema, refundResponseSchema } from '../../apps/server/src/operator-api/refund-schemas.ts';
import { reversalPageSchema } from '../../apps/server/src/operator-api/reversal-schemas.ts';
import {
  resolvedReviewSchema,
  resolveRequestSchema,
  reviewPageSchema,
} from '../../apps/server/src/operator-api/review-schemas.ts';
import {
  boxListSchema,
  boxRequestSchema,
  boxResponseSchema,
  coinStateSchema,
  grantRequestSchema,
  playRequestSchema,
} from '../../apps/server/src/operator-api/sweepstake-schemas.ts';
import {
  deliveryPageSchema,
  deliverySchema,
  deliveryStatuses,
} from '../../apps/server/src/webhooks/delivery-schemas.ts';
import { operatorDebtPaths } from './operator-debt-paths.ts';
import { operation, pageParameters } from './operator-operation.ts';

/** Of both decisions about a withdrawal. */
const decision = {
  parameters: [{ name: 'withdrawalId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
  response: decisionResponseSchema,
  errors: {
    404: '`not-found`: no such withdrawal of this operator.',
    409: '`state-conflict`: it does not wait for approval (any more), or this person has approved it already; `params.state` says how it stands.',
    422: '`idempotency-conflict`: another decision had this key.',
  },
};

const catalogueErrors = {
  409: '`state-conflict`: the catalogue has changed since `version` was read; `params.version` is the one it has now.',
};

export function operatorPaths(): Record<string, object> {
  return {
    '/operator/v1/user-tokens': {
      post: operation({
        id: 'create-user-token',
        summary: 'A token for one user, to hand to the widget; it lives at most 15 minutes.',
        body: userTokenRequestSchema,
        response: userTokenResponseSchema,
      }),
    },
    '/operator/v1/users/{userId}/balances': {
      get: operation({
        id: 'read-balances',
        summary: 'What the ledger holds for a user.',
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        response: balancesResponseSchema,
      }),
    },
    '/operator/v1/users/{userId}/transfers': {
      post: operation({
        id: 'transfer-funds',
        summary:
          'Moves money between the two accounts of a user, or between one of them and the operator, once per `transferId`.',
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        body: transferRequestSchema,
        response: transferResponseSchema,
        errors: {
          409: '`state-conflict`: the account is frozen until people have decided about a debt.',
          422: '`insufficient-funds`: `params.max` says what is there. `idempotency-conflict`: another transfer had this key.',
        },
      }),
    },
    '/operator/v1/users/{userId}/bonuses': {
      get: operation({
        id: 'read-bonuses',
        summary: 'What a user can have now; the host hands it to the widget.',
        parameters: [
          { name: 'userId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'currency', in: 'query', schema: { type: 'string' } },
          { name: 'locale', in: 'query', schema: { type: 'string', maxLength: 35 } },
        ],
        response: bonusesResponseSchema,
      }),
    },
    '/operator/v1/users/{userId}/coin-grants': {
      post: operation({
        id: 'grant-coins',
        summary: 'Gives coins of the sweepstake, once per `grantId`.',
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        body: grantRequestSchema,
        response: coinStateSchema,
      }),
    },
    '/operator/v1/users/{userId}/plays': {
      post: operation({
        id: 'report-play',
        summary:
          'Tells of a play with coins, once per `playId`: it moves the balance, and what was staked counts as played.',
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        body: playRequestSchema,
        response: coinStateSchema,
      }),
    },
    '/operator/v1/sweepstake/boxes': {
      get: operation({
        id: 'list-boxes',
        summary: 'Coin boxes, also those that are not on sale now.',
        response: boxListSchema,
      }),
    },
    '/operator/v1/sweepstake/boxes/{boxId}': {
      put: operation({
        id: 'put-box',
        summary: 'Puts a coin box on sale or changes it; what was bought before stays what it was.',
        parameters: [{ name: 'boxId', in: 'path', required: true, schema: { type: 'string' } }],
        body: boxRequestSchema,
        response: boxResponseSchema,
      }),
    },
    '/operator/v1/catalogue': {
      get: operation({
        id: 'read-catalogue',
        summary: 'Every method and group that ships with the cashier, and what the operator has made of it.',
        response: catalogueResponseSchema,
      }),
      put: operation({
        id: 'put-catalogue',
        summary:
          'Sets up the whole catalogue anew; what is not named is as shipped. It counts at every node from the next call on; payments that were begun go on.',
        body: catalogueRequestSchema,
        response: catalogueResponseSchema,
        errors: catalogueErrors,
      }),
    },
    '/operator/v1/catalogue/methods/{name}': {
      put: operation({
        id: 'put-method-settings',
        summary: 'Sets up one method; what is left out is as shipped.',
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        body: methodRequestSchema,
        response: catalogueResponseSchema,
        errors: { 404: '`not-found`: there is no such method.', ...catalogueErrors },
      }),
    },
    '/operator/v1/catalogue/groups/{name}': {
      put: operation({
        id: 'put-group-settings',
        summary: 'Sets up one group; without it none of its methods is offered.',
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        body: groupRequestSchema,
        response: catalogueResponseSchema,
        errors: { 404: '`not-found`: there is no such group.', ...catalogueErrors },
      }),
    },
    '/operator/v1/catalogue/changes': {
      get: operation({
        id: 'list-catalogue-changes',
        summary: 'Who has set up the catalogue, when, and as what; newest first, page by page.',
        parameters: pageParameters,
        response: changesResponseSchema,
      }),
    },
    '/operator/v1/transactions': {
      get: operation({
        id: 'list-transactions',
        summary: 'Deposits and withdrawals of all users, newest first, page by page.',
        parameters: [
          ...pageParameters,
          { name: 'type', in: 'query', schema: { enum: ['deposit', 'withdrawal'] } },
          { name: 'status', in: 'query', schema: { enum: ['waiting', 'processed', 'mistaked', 'accepted'] } },
          { name: 'userId', in: 'query', schema: { type: 'string' } },
          {
            name: 'from',
            in: 'query',
            description: 'Created then or later.',
            schema: { format: 'date-time', type: 'string' },
          },
          { name: 'to', in: 'query', description: 'Created before.', schema: { format: 'date-time', type: 'string' } },
        ],
        response: transactionPageSchema,
      }),
    },
    '/operator/v1/payments': {
      get: operation({
        id: 'find-payments',
        summary:
          'Where a payment is, with its history, reports, journals, refunds and web-hooks: by the id of a payment, refund, delivery or journal, a provider’s reference, a transaction hash, a receiving address, or a user.',
        parameters: [
          { name: 'find', in: 'query', required: true, schema: { type: 'string', minLength: 1, maxLength: 256 } },
        ],
        response: lookupResponseSchema,
      }),
    },
    '/operator/v1/payments/find': {
      post: operation({
        id: 'find-payments-by-destination',
        summary:
          'As `find-payments`, and withdrawals by where they went: an account, IBAN, Pix key, UPI id, phone or coin address, in whatever writing. The destination is personal, so it travels in the body.',
        body: lookupQuerySchema,
        response: lookupResponseSchema,
      }),
    },
    '/operator/v1/unmatched-reports': {
      get: operation({
        id: 'list-unmatched-reports',
        summary: 'Reports of providers that name no payment, what waits longest first, page by page.',
        parameters: pageParameters,
        response: unmatchedPageSchema,
      }),
    },
    '/operator/v1/webhook-deliveries': {
      get: operation({
        id: 'list-webhook-deliveries',
        summary: 'Web-hooks that were queued for the operator and what became of them, newest first, page by page.',
        parameters: [
          ...pageParameters,
          { name: 'type', in: 'query', description: 'Such as `deposit.processed`.', schema: { type: 'string' } },
          { name: 'status', in: 'query', schema: { enum: deliveryStatuses } },
          {
            name: 'from',
            in: 'query',
            description: 'Queued then or later.',
            schema: { format: 'date-time', type: 'string' },
          },
          { name: 'to', in: 'query', description: 'Queued before.', schema: { format: 'date-time', type: 'string' } },
        ],
        response: deliveryPageSchema,
      }),
    },
    '/operator/v1/webhook-deliveries/{deliveryId}/replay': {
      post: operation({
        id: 'replay-webhook-delivery',
        summary: 'Sends a web-hook again, whatever became of it, under the same `webhook-id`.',
        parameters: [{ name: 'deliveryId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        response: deliverySchema,
        errors: {
          404: '`not-found`: the operator has no such delivery.',
          409: '`state-conflict`: it carried a code, which is not kept.',
        },
      }),
    },
    '/operator/v1/transactions/{depositId}/refund': {
      post: operation({
        id: 'refund-deposit',
        summary: 'Sends a credited deposit back, wholly: once per `refundId`, and once per deposit.',
        parameters: [{ name: 'depositId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        body: refundRequestSchema,
        response: refundResponseSchema,
        errors: {
          404: '`not-found`: no such deposit of this operator.',
          409: '`state-conflict`: it is not credited, is under review, bought a coin box, has a refund already, is of a provider that cannot refund, or the account is frozen.',
          422: '`insufficient-funds`: the user has spent of it; `params.max` says what is there. `idempotency-conflict`: another deposit had this key.',
        },
      }),
    },
    '/operator/v1/reviews': {
      get: operation({
        id: 'list-reviews',
        summary: 'Money in suspense that waits for people to decide, the oldest first, page by page.',
        parameters: pageParameters,
        response: reviewPageSchema,
      }),
    },
    '/operator/v1/reviews/{reviewId}/resolve': {
      post: operation({
        id: 'resolve-review',
        summary: 'Carries out what people decided, once: a repeat of the same decision answers as the first did.',
        parameters: [{ name: 'reviewId', in: 'path', required: true, schema: { type: 'string' } }],
        body: resolveRequestSchema,
        response: resolvedReviewSchema,
        errors: {
          404: '`not-found`: no such review of this operator.',
          409: '`state-conflict`: it was decided otherwise (`params.decision`), or the money cannot go there.',
        },
      }),
    },
    '/operator/v1/parked-reports': {
      get: operation({
        id: 'list-parked-reports',
        summary: 'What providers told and nothing fits yet, what waits longest first, page by page.',
        parameters: pageParameters,
        response: parkedPageSchema,
      }),
    },
    '/operator/v1/reversals': {
      get: operation({
        id: 'list-reversals',
        summary:
          'Money that providers took back from credited deposits, wholly or in part, the newest first, page by page.',
        parameters: pageParameters,
        response: reversalPageSchema,
      }),
    },
    '/operator/v1/parked-reports/{reportId}/dismiss': {
      post: operation({
        id: 'dismiss-parked-report',
        summary:
          'Sets a taking aside that tells of nothing new, once; it books nothing, and a repeat answers the same.',
        parameters: [{ name: 'reportId', in: 'path', required: true, schema: { type: 'string' } }],
        body: dismissRequestSchema,
        response: dismissedReportSchema,
        errors: {
          404: '`not-found`: no such report of this operator, or it has been acted on.',
          409: '`state-conflict`: it tells of anything but a taking.',
        },
      }),
    },
    '/operator/v1/withdrawals': {
      get: operation({
        id: 'list-awaiting-withdrawals',
        summary: 'Withdrawals that wait for the operator’s approval, the oldest first, page by page.',
        parameters: [
          { name: 'awaiting', in: 'query', required: true, schema: { enum: ['approval'] } },
          ...pageParameters,
          ...['userId', 'currency', 'paymentMethod'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
          {
            name: 'from',
            in: 'query',
            description: 'Waiting since then or later.',
            schema: { format: 'date-time', type: 'string' },
          },
          {
            name: 'to',
            in: 'query',
            description: 'Waiting since before.',
            schema: { format: 'date-time', type: 'string' },
          },
        ],
        response: awaitingPageSchema,
      }),
    },
    '/operator/v1/withdrawals/{withdrawalId}/approve': {
      post: operation({
        id: 'approve-withdrawal',
        summary:
          'Approves a withdrawal that waits, once per `decisionId`; the last approval that is needed hands it to the provider.',
        ...decision,
        body: approveRequestSchema,
      }),
    },
    '/operator/v1/withdrawals/{withdrawalId}/decline': {
      post: operation({
        id: 'decline-withdrawal',
        summary: 'Declines a withdrawal that waits, once per `decisionId`: the held amount goes back to its user.',
        ...decision,
        body: declineRequestSchema,
      }),
    },
    ...operatorDebtPaths(),
    '/operator/v1/approval-settings': {
      get: operation({
        id: 'read-approval-settings',
        summary: 'From which amounts on withdrawals wait for approval.',
        response: approvalSettingsSchema,
      }),
      put: operation({
        id: 'put-approval-settings',
        summary: 'Replaces them; counts at once on every node. What waits already is left as it is.',
        body: approvalSettingsSchema,
        response: approvalSettingsSchema,
      }),
    },
  };
}
