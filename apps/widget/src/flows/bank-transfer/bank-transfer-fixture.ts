/** The answer of a create with a bank transfer. */
import { epcCode } from '@opencashier/core/payment-codes/epc-code';

export const iban = 'DE89370400440532013000';

export const data = {
  bankTransfer: true,
  payment_amount: '25.00',
  payment_currency: 'EUR',
  lifetime: 86_400,
  created: new Date(1_767_225_600_000).toISOString(),
  requisites: [
    { name: 'account', title: 'IBAN', value: iban, isCopyable: true },
    { name: 'bank_name', title: 'Bank', value: 'Example Bank' },
  ],
  qrCodeText: epcCode({ name: 'Shop', iban, amount: '25.00', text: 'SBX1' }),
};
