/** The answer of a create with Pix. */
import { pixCode } from '@opencashier/core/payment-codes/pix-code';

export const code = pixCode({ key: 'pix@shop.example', name: 'Shop', city: 'SAO PAULO', amount: '25.00' });

export const data = { qrCodeText: code, payment_amount: '25.00', payment_currency: 'BRL' };
