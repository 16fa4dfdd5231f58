/** Reads an answer for the unified form (DEP-5). */
import type { DepositData } from '@opencashier/contract/api';
import { qrSource, requisiteRows } from '../../kit/payment/payment-requisites.ts';

/** Whether the answer has a way to pay: requisites, a code, a link, or an instruction. */
export function isPayable(data: DepositData): boolean {
  return (
    requisiteRows(data).length > 0 ||
    qrSource(data) !== undefined ||
    (data.buttonPay ?? '') !== '' ||
    hasInstruction(data.instruction)
  );
}

function hasInstruction(instruction: DepositData['instruction']): boolean {
  if (!instruction) return false;
  return 'steps' in instruction ? instruction.steps.length > 0 : instruction.text.trim() !== '';
}

/** The text of a code, to type or paste it. Undefined for a link, which only a camera reads. */
export function codeTwin(data: Pick<DepositData, 'qrCodeText'>): string | undefined {
  const text = data.qrCodeText?.trim() ?? '';
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? undefined : text;
}

/** The text of the link that pays. A wallet opens an invoice of Lightning or a payment request of Bitcoin, and a browser opens a page. */
export function payLinkText(link: string): 'crypto.wallet' | 'payment.open' {
  return /^(?:bitcoin|lightning):/i.test(link) ? 'crypto.wallet' : 'payment.open';
}
