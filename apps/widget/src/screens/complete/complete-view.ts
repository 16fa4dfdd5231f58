/** What the complete screen says for each outcome; which outcome it is, core decides (DEP-15). */
import type { Transaction } from '@opencashier/contract/api';
import type { CompleteScreen } from '@opencashier/core/transaction/complete-screen';
import { serverText } from '../../kit/method-text.ts';
import type { Texts } from '../../kit/services.tsx';

export interface CompleteView {
  readonly icon: 'check' | 'clock' | 'close' | 'alert';
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
  readonly isActive: boolean;
}

export function completeView(
  screen: CompleteScreen,
  report: Pick<Transaction, 'reason'> | undefined,
  texts: Texts,
): CompleteView {
  const { translate } = texts;
  if (screen.isLate && screen.status !== 'processed') {
    return view('clock', 'warn', translate('complete.late.title'), translate('complete.late.text'), false);
  }
  switch (screen.status) {
    case 'processed':
      return view('check', 'good', translate('complete.processed.title'), translate('complete.processed.text'), false);
    case 'accepted':
      return view('clock', 'good', translate('complete.accepted.title'), translate('complete.accepted.text'), false);
    case 'mistaked': {
      const reason = serverText(report?.reason, texts) ?? translate('complete.mistaked.text');
      return view('close', 'bad', translate('complete.mistaked.title'), reason, false);
    }
    case 'waiting':
      return view('clock', 'good', translate('complete.waiting.title'), translate('complete.waiting.text'), true);
  }
}

function view(
  icon: CompleteView['icon'],
  tone: CompleteView['tone'],
  title: string,
  text: string,
  isActive: boolean,
): CompleteView {
  return { icon, tone, title, text, isActive };
}
