/**
 * The question to an external signer, and its answer (docs/payouts.md). The question is signed by the scheme of Standard Webhooks. The
 * answer needs no signature, because the transaction in it is compared with the one that was asked for.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import * as v from 'valibot';
import type { PayoutSettings } from './payout-settings.ts';

/** What the signer is asked to sign, and everything that it needs to judge it by rules of its own. */
export interface SignRequest {
  readonly withdrawalId: string;
  readonly operator: string;
  /** 1, and one more for each replacement by a higher fee. */
  readonly version: number;
  readonly chain: string;
  readonly wallet: string;
  readonly pays: {
    readonly coin: string;
    /** Absent: the chain's own coin. */
    readonly contract?: string;
    readonly address: string;
    /** The comment by which an exchange knows its customer. */
    readonly memo?: string;
    /** A decimal amount, and the same in the asset's smallest unit. */
    readonly amount: string;
    readonly units: string;
  };
  /** The most that the network can take, in the smallest unit of the chain's coin. */
  readonly mostFeeUnits: string;
  readonly format: string;
  readonly unsigned: string;
  /** ISO 8601. A later answer is not waited for; the same question comes again. */
  readonly deadline: string;
}

export type SignerAnswer =
  | { readonly kind: 'signed'; readonly transaction: string }
  /** The signer will never sign this transaction. */
  | { readonly kind: 'refused'; readonly code: string }
  /** A person has to press a button first. The same question comes again. */
  | { readonly kind: 'later' }
  /** No answer that can be read. The signer may have signed. */
  | { readonly kind: 'silent'; readonly why: string };

/** A transaction with twenty inputs has about 10 kB. */
const LARGEST_ANSWER = 256 * 1024;

const answerSchema = v.variant('outcome', [
  v.object({ outcome: v.literal('signed'), transaction: v.pipe(v.string(), v.maxLength(LARGEST_ANSWER)) }),
  v.object({ outcome: v.literal('refused'), code: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,60}$/)) }),
  v.object({ outcome: v.literal('later') }),
]);

export type Signer = (request: Omit<SignRequest, 'deadline'>) => Promise<SignerAnswer>;

/** @throws RangeError when a secret has another form */
export function createSigner({ url, secrets, withinSeconds }: PayoutSettings['signer'], clock: Clock): Signer {
  const signatures = createWebhookSignatures(secrets);
  return async (request) => {
    const now = clock.now();
    const deadline = new Date(now + withinSeconds * 1000).toISOString();
    const body = JSON.stringify({ type: 'payout.sign', ...request, deadline });
    const headers = signatures.sign(`${request.withdrawalId}-${request.version}`, body, now);
    let text: string;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(withinSeconds * 1000),
      });
      if (answer.status !== 200) return { kind: 'silent', why: `status-${answer.status}` };
      text = await textWithin(answer, LARGEST_ANSWER);
    } catch {
      // The address may hold a key, so the error is not repeated.
      return { kind: 'silent', why: 'no-answer' };
    }
    return readAnswer(text);
  };
}

/** @throws RangeError for a longer body */
async function textWithin(answer: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) throw new RangeError('The answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAnswer(text: string): SignerAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'silent', why: 'unreadable' };
  }
  const read = v.safeParse(answerSchema, value);
  if (!read.success) return { kind: 'silent', why: 'unreadable' };
  const { outcome, ...rest } = read.output;
  return { kind: outcome, ...rest } as SignerAnswer;
}
