import type { DepositData } from '@opencashier/contract/api';

/** A virtual payment address: `name@handle`. */
const upiId = /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}$/;

/** The UPI id for a payer who cannot scan the code. It is the payee's address in the code, else an id in the answer. */
export function upiIdOf(data: Pick<DepositData, 'qrCodeText' | 'details' | 'requisites'>): string | undefined {
  const query = data.qrCodeText?.split('?')[1];
  const told = [
    new URLSearchParams(query ?? '').get('pa') ?? '',
    ...(data.details ?? []).map(({ value }) => value),
    ...(data.requisites ?? []).map(({ value }) => value),
  ];
  return told.map((text) => text.trim()).find((text) => upiId.test(text));
}
