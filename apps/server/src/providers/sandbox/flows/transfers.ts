/** Transfers by hand: the person is told whom to pay, and pays in an application of their own. */
import type { Requisite } from '@opencashier/contract/api';
import { epcCode } from '@opencashier/core/payment-codes/epc-code';
import { amountOf, type FlowAnswer, type FlowParts, referenceOf, timing } from './flow.ts';
import { payeeOf } from './payees.ts';

const requisite = (name: string, title: string, value: string, isCopyable = true): Requisite => ({
  name,
  title,
  value,
  isCopyable,
});

/** To a person: a card, a phone, a wallet or an account, as the method's `payee` says. */
export function p2pAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit } = parts;
  const { payee = 'card', cardPrefix, system, unified } = deposit.providerOptions;
  const person = payeeOf(payment, deposit.country, cardPrefix);
  const bankName = deposit.bank ?? deposit.fields['bank'] ?? person.bankName;
  const amount = amountOf(payment);
  const card = {
    fullName: person.fullName,
    country_code: deposit.country,
    transaction_description: referenceOf(payment),
    ...(payee === 'wallet' ? {} : { bank_name: bankName }),
    ...(system === undefined ? {} : { payment_system: system }),
    ...(payee === 'card' && { number: person.cardNumber, encoded: masked(person.cardNumber) }),
    ...((payee === 'phone' || payee === 'wallet') && { phone: person.phone }),
    ...(payee === 'account' && { bank_account: person.account }),
  };
  const number = { card: person.cardNumber, account: person.account }[payee] ?? person.phone;
  return {
    data: {
      ...timing(parts),
      card,
      passedAmount: amount,
      passedCurrency: payment.currency,
      processingAmount: amount,
      processingCurrency: payment.currency,
      instruction: {
        steps: steps(
          'Copy the number and open the application of your bank.',
          `Send exactly ${amount} ${payment.currency} in one transfer.`,
          'Come back here and press “I have paid”.',
        ),
      },
      ...(unified === 'yes' && {
        unifiedFlow: true,
        buttons: ['complete'],
        requisites: [
          requisite('number', 'Number', number),
          requisite('name', 'Name of the payee', person.fullName),
          ...(payee === 'wallet' ? [] : [requisite('bank_name', 'Bank', bankName, false)]),
        ],
      }),
    },
  };
}

/** To a company's card or account. */
export function hostToHostAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit } = parts;
  const { payee = 'card', cardPrefix, system } = deposit.providerOptions;
  const person = payeeOf(payment, deposit.country, cardPrefix);
  const number = payee === 'account' ? person.account : person.cardNumber;
  return {
    data: {
      ...timing(parts),
      ...(system === undefined ? {} : { payment_system: system }),
      card: {
        fullName: person.fullName,
        bank_name: person.bankName,
        ...(system === undefined ? {} : { payment_system: system }),
        ...(payee === 'account' ? { account_number: number } : { number }),
      },
      requisites: [
        requisite(
          payee === 'account' ? 'account_number' : 'card_number',
          payee === 'account' ? 'Account' : 'Card',
          number,
        ),
        requisite('full_name', 'Name of the payee', person.fullName),
        requisite('reference', 'Reference', referenceOf(payment)),
      ],
      instruction: {
        steps: steps(
          'Open your wallet or the application of your bank.',
          `Send exactly ${amountOf(payment)} ${payment.currency} in one transfer.`,
          'Press “I have paid”.',
        ),
      },
    },
  };
}

/** An account number that belongs to this payment alone: no reference is needed. */
export function virtualAccountAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, merchantName } = parts;
  const person = payeeOf(payment, deposit.country);
  return {
    data: {
      ...timing(parts),
      card: { account_number: person.account, bank_name: person.bankName, fullName: merchantName },
      requisites: [
        requisite('account_number', 'Account number', person.account),
        requisite('bank_name', 'Bank', person.bankName, false),
        requisite('full_name', 'Account name', merchantName),
      ],
      instruction: { text: 'This account number is yours for this payment alone. No reference is needed.' },
    },
  };
}

/** To the company's bank account; in euros with the QR code that banking applications read. */
export function bankTransferAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, merchantName } = parts;
  const { account, bankName } = payeeOf(payment, deposit.country);
  const reference = referenceOf(payment);
  const hasCode = payment.currency === 'EUR' && deposit.country === 'DE';
  return {
    data: {
      ...timing(parts),
      bankTransfer: true,
      requisites: [
        requisite('beneficiary', 'Beneficiary', merchantName),
        requisite('account', hasCode ? 'IBAN' : 'Account', account),
        requisite('bank_name', 'Bank', bankName, false),
        requisite('reference', 'Reference', reference),
        requisite('amount', 'Amount', amountOf(payment)),
      ],
      ...(hasCode && {
        qrCodeText: epcCode({ name: merchantName, iban: account, amount: amountOf(payment), text: reference }),
      }),
      instruction: {
        steps: steps(
          'Open the application of your bank.',
          `Send the exact amount with the reference ${reference}.`,
          'The money is credited when it arrives.',
        ),
      },
    },
  };
}

export function steps(...texts: string[]): { stepNumber: number; stepInstruction: string }[] {
  return texts.map((stepInstruction, index) => ({ stepNumber: index + 1, stepInstruction }));
}

function masked(cardNumber: string): string {
  return `${cardNumber.slice(0, 4)} **** **** ${cardNumber.slice(-4)}`;
}
