/** What your staff do for `trigger`, through the operator API: they decide about reviews, and set rules of approvals. */
import { minorOf } from '../check/amounts.ts';
import type { OperatorClient } from '../operator-client.ts';
import { TriggerError } from './trigger-error.ts';

export const lookEveryMs = 1000;
/** The slowest ending takes 15 seconds. The rest is for a busy machine, and for the second try of a webhook. */
export const mostLooks = 60;

/** Of any currency. Both sides of a comparison are read with it. */
const mostDecimals = 18;

interface Staff {
  readonly client: OperatorClient;
  readonly surroundings: {
    readonly print: (line: string) => void;
    readonly pause: (milliseconds: number) => Promise<void>;
  };
}

/**
 * Waits for the review of a payment, and decides it.
 *
 * @returns false: there is no review
 */
export async function decideReview(
  { client, surroundings }: Staff,
  paymentId: string,
  decision: 'credit' | 'charge',
): Promise<boolean> {
  for (let look = 0; look < mostLooks; look += 1) {
    const reviewId = await reviewOf(client, paymentId);
    if (reviewId !== undefined) {
      await client.resolveReview({ reviewId, decision, staff: 'trigger' });
      surroundings.print(`Review ${reviewId}: ${decision}, decided by your staff.`);
      return true;
    }
    await surroundings.pause(lookEveryMs);
  }
  return false;
}

/** The newest review is on the last page. */
async function reviewOf(client: OperatorClient, paymentId: string): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await client.listReviews({ limit: 200, ...(cursor !== undefined && { cursor }) });
    const found = page.reviews.find(({ id }) => id === paymentId);
    if (found !== undefined) return found.reviewId;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

/** @throws TriggerError when no withdrawal of this amount waits for approval, with the rule to set */
export async function requireApprovalRule(client: OperatorClient, currency: string, amount: string): Promise<void> {
  const { thresholds } = await client.readApprovalSettings();
  const above = thresholds.find((one) => one.currency === currency)?.approvalThreshold;
  const [wanted, limit] = [minorOf(amount, mostDecimals), minorOf(above, mostDecimals)];
  if (typeof wanted === 'bigint' && typeof limit === 'bigint' && wanted > limit) return;
  throw new TriggerError(
    `A withdrawal of ${amount} ${currency} needs no approval. Set a rule first: ` +
      `\`opencashier approvals set <operator> --currency ${currency} --above 0\`, or PUT /operator/v1/approval-settings.`,
  );
}
