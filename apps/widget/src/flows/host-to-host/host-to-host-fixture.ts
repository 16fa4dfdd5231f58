/** The answer of a create with a host-to-host payment. */
import type { DepositData } from '@opencashier/contract/api';

export const data: DepositData = {
  card: { number: '8600123412341234', fullName: 'Aziz S.', account_number: '0001 22' },
  requisites: [
    { name: 'reference', title: 'Reference', value: 'SBX1', isCopyable: true },
    { name: 'phone', title: 'Phone', value: '+998 90 123 45 67', isCopyable: true },
  ],
  payment_amount: '1503.20',
  payment_currency: 'INR',
  created: new Date(Date.UTC(2026, 0, 1)).toISOString(),
  timeout_minutes: 15,
  instruction: { steps: [{ stepNumber: 1, stepInstruction: 'Open your wallet.' }] },
};
