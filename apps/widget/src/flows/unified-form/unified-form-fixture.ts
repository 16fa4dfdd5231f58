/** The answer of a create for the unified form. */
import type { DepositData } from '@opencashier/contract/api';
import { paymentId } from '../../kit/payment/payment-fixture.ts';

/** The page of the deposit, as a reload opens it. */
export const path = `/deposit/redirect/bank_card/unified-form?depositId=${paymentId}`;

/** 2026-01-01 by the server's clock, the start of the test clock. */
export const created = new Date(1_767_225_600_000).toISOString();

export const data: DepositData = {
  unifiedFlow: true,
  payment_amount: '1503.20',
  payment_currency: 'INR',
  created,
  requisites: [
    { name: 'url', title: 'Address', value: 'https://pay.example/p', type: 'url' },
    { name: 'amount', title: 'Sum', value: '1503.20' },
    { name: 'card_number', title: 'Card number', value: '4276380012345678', isCopyable: true },
    { name: 'bank_name', title: 'Bank', value: 'State Bank of India' },
    { name: 'full_name', title: 'Recipient', value: 'Anita R.', isCopyable: true },
  ],
  instruction: {
    steps: [
      { stepNumber: 2, stepInstruction: 'Send exactly {amount}.' },
      { stepNumber: 1, stepInstruction: 'Open your bank’s app.' },
    ],
    amounts: { amount: { amount: '1503.20', currency: 'INR' } },
  },
};
