/** Opens the unified form by its address, for its tests. */
import type { DepositData } from '@opencashier/contract/api';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentServices } from '../../kit/payment/payment-fixture.ts';
import { data, path } from './unified-form-fixture.ts';

/** Opens the page. @param more changes of the answer that a repeated create gets */
export async function open(more: Partial<DepositData> = {}, options: Parameters<typeof paymentServices>[1] = {}) {
  const widget = await openWidget(path, paymentServices({ ...data, ...more }, options));
  await widget.pass(0);
  return widget;
}
