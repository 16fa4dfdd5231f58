/** The answer of a create in India, and a method that allows two apps. */
import type { DepositData } from '@opencashier/contract/api';
import { paymentMethod } from '../../kit/payment/payment-fixture.ts';

export const link = 'upi://pay?pa=shop@bank&pn=Shop&am=1500.00&cu=INR&tr=R1';

export const data: DepositData = {
  created: new Date(Date.UTC(2026, 0, 1)).toISOString(),
  lifetime: 600,
  payment_amount: '1500.00',
  payment_currency: 'INR',
  details: [
    { name: 'UPI', value: link, type: 'QR' },
    { name: 'PhonePe', value: 'phonepe://pay?pa=shop@bank', type: 'link' },
    { name: 'Evil', value: 'javascript:alert(1)', type: 'link' },
    { name: 'UPI ID', value: 'shop@bank', type: 'text' },
    { name: 'Reference', value: 'R1', type: 'text' },
  ],
};

export const method = paymentMethod({ cardViewType: 3, flags: { linkSchemes: ['upi', 'phonepe'] } });
