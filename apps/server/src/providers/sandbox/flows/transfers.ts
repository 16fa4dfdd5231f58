/** Manual transfers: the answer names the payee, and the payer pays in an app of their own. */
import type { Requisite } from '@opencashier/contract/api';
import { epcCode } from '@opencashier/core/payment-codes/epc-code';
import type { SandboxText } from '../words/texts.ts';
import { amountOf, type FlowAnswer, type FlowParts, referenceOf, steps, timing } from './flow.ts';
import { payeeOf } from './payees.ts';

const requisite = (name: string, title: string, value: string, isCopyable = true): Requisite => ({
  name,
  title,
  value,
  isCopyable,
});

/** The name of the payee's number. A wallet is named by a phone number. */
const numberTitles: Readonly<Record<string, SandboxText>> = {
  card: 'requisite.card',
  account: 'requisite.accountNumber',
};

/** To a person: to a card, a phone, a wallet or an account, by the method's option `payee`. */
export function p2pAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, texts } = parts;
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
          texts.say('step.copyNumber'),
          texts.say('step.sendAmount', { amount: '{amount}' }),
          texts.say('step.comeBack'),
        ),
        amounts: { amount: { amount, currency: payment.currency } },
      },
      ...(unified === 'yes' && {
        unifiedFlow: true,
        buttons: ['complete'],
        requisites: [
          requisite('number', texts.say(numberTitles[payee] ?? 'requisite.phone'), number),
          requisite('name', texts.say('requisite.payee'), person.fullName),
          ...(payee === 'wallet' ? [] : [requisite('bank_name', texts.say('requisite.bank'), bankName, false)]),
        ],
      }),
    },
  };
}

/** To a company's card or account. */
export function hostToHostAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, texts } = parts;
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
          texts.say(payee === 'account' ? 'requisite.account' : 'requisite.card'),
          number,
        ),
        requisite('full_name', texts.say('requisite.payee'), person.fullName),
        requisite('reference', texts.say('requisite.reference'), referenceOf(payment)),
      ],
      instruction: {
        steps: steps(
          texts.say('step.openWallet'),
          texts.say('step.sendAmount', { amount: '{amount}' }),
          texts.say('step.comeBack'),
        ),
        amounts: { amount: { amount: amountOf(payment), currency: payment.currency } },
      },
    },
  };
}

/** To an account number for this payment alone, so that no reference is needed. */
export function virtualAccountAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, merchantName, texts } = parts;
  const person = payeeOf(payment, deposit.country);
  return {
    data: {
      ...timing(parts),
      card: { account_number: person.account, bank_name: person.bankName, fullName: merchantName },
      requisites: [
        requisite('account_number', texts.say('requisite.accountNumber'), person.account),
        requisite('bank_name', texts.say('requisite.bank'), person.bankName, false),
        requisite('full_name', texts.say('requisite.payee'), merchantName),
      ],
      instruction: { text: texts.say('step.sendToAccount') },
    },
  };
}

/** To the company's bank account. In euros with the QR code that banking apps read. */
export function bankTransferAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, merchantName, texts } = parts;
  const { account, bankName } = payeeOf(payment, deposit.country);
  const reference = referenceOf(payment);
  const hasCode = payment.currency === 'EUR' && deposit.country === 'DE';
  return {
    data: {
      ...timing(parts),
      bankTransfer: true,
      requisites: [
        requisite('beneficiary', texts.say('requisite.payee'), merchantName),
        requisite('account', hasCode ? 'IBAN' : texts.say('requisite.account'), account),
        requisite('bank_name', texts.say('requisite.bank'), bankName, false),
        requisite('reference', texts.say('requisite.reference'), reference),
        requisite('amount', texts.say('requisite.amount'), amountOf(payment)),
      ],
      ...(hasCode && {
        qrCodeText: epcCode({ name: merchantName, iban: account, amount: amountOf(payment), text: reference }),
      }),
      instruction: {
        steps: steps(
          texts.say('step.openBank'),
          texts.say('step.sendReference', { reference }),
          texts.say('step.credited'),
        ),
      },
    },
  };
}

function masked(cardNumber: string): string {
  return `${cardNumber.slice(0, 4)} **** **** ${cardNumber.slice(-4)}`;
}
