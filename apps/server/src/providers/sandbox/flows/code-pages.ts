/** Pages with a code to scan or to open in an app: Pix, UPI, and the unified form. */
import type { FormField } from '@opencashier/contract/api';
import { pixCode } from '@opencashier/core/payment-codes/pix-code';
import { UPI_APPS, upiLink } from '@opencashier/core/payment-codes/upi-link';
import { payPath } from '../payments/pay-path.ts';
import { amountOf, digitsOf, type FlowAnswer, type FlowParts, referenceOf, steps, timing } from './flow.ts';
import { payeeOf } from './payees.ts';

/** A QR code as a picture, which is how some providers send it. It reads: SANDBOX PAYMENT: NO REAL MONEY. */
const SAMPLE_QR_DATA_URL = [
  'data:image/png;base64,',
  'iVBORw0KGgoAAAANSUhEUgAAAIQAAACEAQAAAAB5P74KAAAAx0lEQVR42u2WwQ3DMAwDuQH335IbqCDdtE0fBWL2GcFIjHsEEk0p',
  'xnyFcJMzAUCAzKYg9OKxKQhIiMymJBLFfxAOazKpU+farxMLnjidxXWSoMCzNy4Te8APao5Kt4jTIrHeBZGNicFAqMhS3flxCuIv',
  'WjIJaIjESP92wh5x49oGwkv5LTKCaB/wUGyPQE5PkX8K4kDqBRuSTtHkAFmQ1BjhiYqsKbsGbUliTc+lkrhZNPrIcIN44WmpguRP',
  'ZFvlFPfJfSv4QR5uxbu4HKG77gAAAABJRU5ErkJggg==',
].join('');

/** No bank has this handle, so that no app can pay to it. */
const upiAddressOf = ({ payment }: FlowParts): string => `cashier.${digitsOf(payment, 'upi', 6)}@sandbox`;

function upiPayee(parts: FlowParts) {
  const { payment, merchantName } = parts;
  return {
    address: upiAddressOf(parts),
    name: merchantName,
    amount: amountOf(payment),
    reference: referenceOf(payment),
    note: 'Deposit',
  };
}

/** `eazype` and `upi-qr`: the UPI link as a QR code, on the widget's own page. */
export function upiPageAnswer(pageId: 'eazype' | 'upi-qr'): (parts: FlowParts) => FlowAnswer {
  return (parts) => ({
    pageId,
    pageType: 'custom',
    data: {
      ...timing(parts),
      qrCodeText: upiLink(upiPayee(parts)),
      details: [{ name: 'UPI ID', value: upiAddressOf(parts), type: 'text' }],
      instruction: {
        steps: steps(
          parts.texts.say('step.scanUpi'),
          parts.texts.say('step.checkAmount'),
          parts.texts.say('step.comeBack'),
        ),
      },
    },
  });
}

export function pixAnswer(parts: FlowParts): FlowAnswer {
  const { payment, merchantName, texts } = parts;
  return {
    pageId: 'pix',
    pageType: 'custom',
    data: {
      ...timing(parts),
      qrCodeText: pixCode({
        key: 'pix@sandbox.example',
        name: merchantName.slice(0, 25),
        city: 'SAO PAULO',
        amount: amountOf(payment),
        reference: referenceOf(payment),
      }),
      instruction: {
        steps: steps(texts.say('step.openBank'), texts.say('step.choosePix'), texts.say('step.comeBack')),
      },
    },
  };
}

/** UPI on a phone: links that open the apps, and a QR code and an id for other devices. */
export function indiaAnswer(parts: FlowParts): FlowAnswer {
  const payee = upiPayee(parts);
  const link = upiLink(payee);
  return {
    data: {
      ...timing(parts),
      qrCodeText: link,
      details: [
        { name: 'UPI', value: link, type: 'QR' },
        ...UPI_APPS.map(({ name, prefix }) => ({ name, value: upiLink(payee, prefix), type: 'link' })),
        { name: 'UPI ID', value: payee.address, type: 'text' },
        { name: parts.texts.say('requisite.reference'), value: payee.reference, type: 'text' },
      ],
    },
  };
}

/** The fields of a method with `inputs: payer`. They help to find a transfer without a reference. */
const payerFields: readonly FormField[] = [
  {
    name: 'fullName',
    type: 'text',
    props: { label: 'Full name', validations: [{ regex: "^[\\p{L}][\\p{L} .'-]{1,59}$", message: 'field.invalid' }] },
  },
  {
    name: 'accountEnd',
    type: 'text',
    mask: '0000',
    regex: '^\\d{4}$',
    regex_error_key: 'field.invalid',
    props: { label: 'Last four digits of your account' },
  },
];

/** The sandbox refuses this ending, so that testers can see a refusal. */
const REFUSED_ACCOUNT_END = '0000';

/** The names of the fields whose values the sandbox refuses. */
export function refusedInputs(fields: Readonly<Record<string, string>>): readonly string[] {
  return fields['accountEnd'] === REFUSED_ACCOUNT_END ? ['accountEnd'] : [];
}

/**
 * The unified form. The method's options choose its parts:
 * - `qr`: `text` or `image`
 * - `instruction`: `steps` or `text`
 * - `buttons`: names such as `complete`, or `none`. Absent: the answer does not mention buttons
 * - `payee`: `card` or `account`
 * - `pay`: `link`
 * - `inputs`: `payer`
 */
export function unifiedAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, base, merchantName, texts } = parts;
  const { qr, instruction = 'steps', buttons, payee = 'account', cardPrefix, pay, inputs } = deposit.providerOptions;
  const person = payeeOf(payment, deposit.country, cardPrefix);
  const reference = referenceOf(payment);
  const amount = amountOf(payment);
  const payUrl = `${base}${payPath(payment, texts)}`;
  return {
    data: {
      ...timing(parts),
      unifiedFlow: true,
      requisites: [
        { name: 'url', title: 'URL', value: payUrl, type: 'url' },
        { name: 'amount', title: texts.say('requisite.amount'), value: amount, isCopyable: true },
        payee === 'card'
          ? {
              name: 'card_number',
              title: texts.say('requisite.card'),
              value: person.cardNumber,
              type: 'card',
              isCopyable: true,
            }
          : { name: 'account', title: texts.say('requisite.account'), value: person.account, isCopyable: true },
        { name: 'bank_name', title: texts.say('requisite.bank'), value: person.bankName },
        { name: 'full_name', title: texts.say('requisite.payee'), value: merchantName, isCopyable: true },
        { name: 'reference', title: texts.say('requisite.reference'), value: reference, isCopyable: true },
      ],
      ...(qr === 'text' && { qrCodeText: reference }),
      ...(qr === 'image' && { qrDataURL: SAMPLE_QR_DATA_URL }),
      ...(pay === 'link' && { buttonPay: payUrl }),
      instruction: {
        ...(instruction === 'text'
          ? { text: texts.say('step.payAndName', { amount: '{amount}', reference }) }
          : {
              steps: steps(
                texts.say('step.copyDetails'),
                texts.say('step.payAmount', { amount: '{amount}' }),
                texts.say('step.comeBack'),
              ),
            }),
        amounts: { amount: { amount, currency: payment.currency } },
      },
      ...(inputs === 'payer' && { inputFields: [...payerFields] }),
      ...(buttons !== undefined && { buttons: buttons === 'none' ? [] : buttons.split(',') }),
    },
  };
}
