/** What the complete screen says about a withdrawal. It says where the money is only by a report of the server (WD-2, WD-3). */
import { completeScreen } from '@opencashier/core/transaction/complete-screen';
import { statusOfCode } from '@opencashier/core/transaction/status';
import type { Texts } from '../../kit/session/services.tsx';
import type { WithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';
import { amountText } from '../../kit/withdrawal/withdrawal-text.ts';

/** `held`: the user has not confirmed it, and still can. */
export type WithdrawalStage = 'held' | 'checking' | 'accepted' | 'processed' | 'mistaked';

export interface WithdrawalView {
  readonly stage: WithdrawalStage;
  readonly icon: 'check' | 'clock' | 'close' | 'alert';
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
  readonly isActive: boolean;
}

const looks: Readonly<Record<WithdrawalStage, Pick<WithdrawalView, 'icon' | 'tone'>>> = {
  held: { icon: 'clock', tone: 'warn' },
  checking: { icon: 'clock', tone: 'warn' },
  accepted: { icon: 'clock', tone: 'good' },
  processed: { icon: 'check', tone: 'good' },
  mistaked: { icon: 'close', tone: 'bad' },
};

/** Reasons caused by the user, so that nothing has gone wrong. */
const ownDoing = /\.(?:cancelled|expired)$/;

/**
 * A late payout: the provider paid after the amount had gone back to the user. Until staff have decided, the withdrawal counts as
 * in progress.
 */
const paidLate = 'withdrawal.reason.late';

/** It waits for the approval of the operator's staff, and no money was sent. */
const notApprovedYet = 'withdrawal.reason.approval';

/** @param asked the untrusted `status` of the address; it counts only until the first report of the server */
export function withdrawalView(
  report: WithdrawalReport | undefined,
  asked: string | null,
  texts: Texts,
): WithdrawalView {
  const stage = stageOf(report, asked);
  const reason = report?.reason;
  const isSaid = stage === 'mistaked' || reason === paidLate || reason === notApprovedYet;
  const known = isSaid && stage !== 'processed' && reason !== undefined && texts.has(reason) ? reason : undefined;
  const amount = report === undefined ? '' : amountText(report.amount, report.currency, texts, true);
  const look =
    stage === 'mistaked' && ownDoing.test(known ?? '')
      ? ({ icon: 'close', tone: 'calm' } as const)
      : looks[known === paidLate ? 'checking' : stage];
  // Without a report of the server the title does not say where the money is.
  const ended =
    stage === 'mistaked' && report === undefined ? 'withdrawalComplete.ended' : `withdrawalComplete.${stage}`;
  const key = stage === 'checking' ? 'withdrawal.checking' : ended;
  return {
    stage,
    ...look,
    title: texts.translate(known === undefined ? `${key}.title` : known.replace('.reason.', '.title.')),
    text: texts.translate(known ?? `${key}.text`, { amount }),
    isActive: stage === 'accepted' || stage === 'checking',
  };
}

function stageOf(report: WithdrawalReport | undefined, asked: string | null): WithdrawalStage {
  if (report !== undefined) {
    const status = statusOfCode(report.status);
    const isFinal = status === 'processed' || status === 'mistaked';
    if (report.isOutcomeUnknown === true && !isFinal) return 'checking';
    return status === 'waiting' ? 'held' : status;
  }
  // A withdrawal starts as accepted (WD-3). Before a report of the server, `waiting` has no meaning here.
  const { status } = completeScreen({
    direction: 'withdrawal',
    kind: 'stored',
    queryStatus: asked,
    openedAt: 0,
    now: 0,
  });
  return status === 'mistaked' ? status : 'accepted';
}
