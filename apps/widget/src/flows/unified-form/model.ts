/** The unified form's view of an answer (DEP-5). */
import type { DepositData } from '@opencashier/contract/api';
import { qrSource, requisiteRows } from '../../kit/payment/payment-requisites.ts';

/** Whether there is anything to pay by: requisites, a code, a link, or words. */
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

/** What a code says, where it is short enough to be typed or pasted: a link is for the camera alone. */
export function codeTwin(data: Pick<DepositData, 'qrCodeText'>): string | undefined {
  const text = data.qrCodeText?.trim() ?? '';
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? undefined : text;
}
