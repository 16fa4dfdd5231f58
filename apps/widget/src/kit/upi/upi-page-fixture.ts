/** The answer of a create with a UPI code. */
import { upiLink } from '@opencashier/core/payment-codes/upi-link';

export const link = upiLink({ address: 'shop.12@bank', name: 'Shop', amount: '1500.00', reference: 'SBX12345678' });

export const data = { qrCodeText: link };
