import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskedDestination, maskedValue } from './masked-destination.ts';

test('[WD-2] numbers and addresses show only their ends, and names are unchanged', () => {
  expect(
    maskedDestination({
      cardNumber: '4242 4242 4242 4242',
      accountNumber: '0123456789',
      phone: '+919876543210',
      iban: 'DE89370400440532013000',
      wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      email: 'anita@example.com',
      bank: '058',
      network: 'trc20',
      fullName: 'Anita Raghunathan Krishnamoorthy',
    }),
  ).toEqual([
    { name: 'cardNumber', value: '•••• 4242' },
    { name: 'accountNumber', value: '•••• 6789' },
    { name: 'phone', value: '•••• 3210' },
    { name: 'iban', value: 'DE893…13000' },
    { name: 'wallet', value: 'TJRab…pRTv8' },
    { name: 'email', value: 'a•••@example.com' },
    { name: 'bank', value: '058' },
    { name: 'network', value: 'trc20' },
    { name: 'fullName', value: 'Anita Raghunathan Krishnamoorthy' },
  ]);
});

test('[WD-2] at most four digits of a number are shown', () => {
  const number = fc.stringMatching(/^\d[\d -]{7,18}\d$/);
  fc.assert(
    fc.property(number, (text) => {
      fc.pre(text.replace(/\D/g, '').length >= 8 && (/\s/.test(text) || text.length < 20));
      expect(maskedValue(text).replace(/\D/g, '').length).toBeLessThanOrEqual(4);
    }),
  );
});
