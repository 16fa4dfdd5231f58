import { describe, expect, test } from 'vitest';
import { bundledFiles } from '../../../catalogue/bundled-files.ts';
import { readShippedCatalogue } from '../../../catalogue/shipped-catalogue.ts';
import { answerOf } from '../flows/answer.ts';
import { flowOf } from '../payments/flow-names.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import { scenarioOf } from '../payments/scenarios.ts';
import { textsOf } from './texts.ts';

describe('[UI-1] the sandbox uses the payer’s language', () => {
  test.each([
    ['de-AT', 'de', 'ltr', 'Ablehnen'],
    ['es', 'es', 'ltr', 'Rechazar'],
    ['es-ES', 'es-ES', 'ltr', 'Rechazar'],
    ['hi-Latn-IN', 'hi-Latn-IN', 'ltr', 'Decline karein'],
    ['ur-PK', 'ur', 'rtl', 'مسترد کریں'],
    ['sv', 'en', 'ltr', 'Decline'],
    ['constructor', 'en', 'ltr', 'Decline'],
    [undefined, 'en', 'ltr', 'Decline'],
  ] as const)('%s is read as %s', (asked, language, direction, decline) => {
    const texts = textsOf(asked);
    expect([texts.language, texts.direction, texts.say('page.decline')]).toEqual([language, direction, decline]);
  });

  test('fills placeholders, and leaves those without a value', () => {
    expect(textsOf('de').say('step.payAmount', { amount: '$& 1 EUR' })).toBe('Zahlen Sie genau $& 1 EUR.');
    expect(textsOf('en').say('step.payAmount')).toBe('Pay exactly {amount}.');
  });

  test('a variant names the button as the widget in that variant does', () => {
    expect(textsOf('es-ES').say('step.comeBack')).toContain('«Ya he pagado»');
    expect(textsOf('es-MX').say('step.comeBack')).toContain('“Ya pagué”');
  });

  test('no step, requisite or detail of a shipped method stays in English', () => {
    const methods = readShippedCatalogue(bundledFiles).methods.map(({ entry }) => entry);
    const seen = new Set<string>();
    for (const { providerOptions, countries, name, provider, directions } of methods) {
      const flow = flowOf(providerOptions);
      if (provider !== 'sandbox' || !directions.includes('deposit') || flow === undefined) continue;
      const network = flow === 'crypto' ? { network: providerOptions['network'] ?? 'erc20' } : {};
      const parts = {
        payment,
        deposit: { country: countries[0] ?? 'DE', fields: network, providerOptions },
        base: 'https://cashier.example',
        merchantName: 'Shop',
        lifetimeSeconds: 600,
      };
      const [said, english] = ['ja', 'en'].map((tag) =>
        textsFor(answerOf(flow, { ...parts, texts: textsOf(tag) }, undefined).data ?? {}),
      );
      for (const [index, text] of (said ?? []).entries()) {
        seen.add(text);
        const isName = /^(?:UPI(?: ID)?|IBAN|URL|Lightning \(BOLT 11\)|Google Pay|PhonePe|Paytm|BHIM)$/.test(text);
        if (!isName) expect(text, `${name}: ${text}`).not.toBe(english?.[index]);
      }
    }
    expect(seen.size).toBeGreaterThan(25);
  });

  test('the message of a decline is translated', () => {
    const { answer } = scenarioOf(2_514n);
    if (answer.kind !== 'decline' || answer.message === undefined) throw new Error('Expected a message');
    expect(textsOf('fr').say(answer.message)).toMatch(/^Votre banque a refusé ce paiement/);
  });
});

const payment: SandboxPayment = {
  ref: `sbx_${'0'.repeat(32)}`,
  depositId: '00000000-0000-4000-8000-000000000000',
  paymentMethod: 'card',
  amountMinor: 2_500n,
  currency: 'EUR',
  returnUrl: '',
  flow: 'redirect',
  scenario: 'page',
  formToken: 'token',
  facts: [],
  createdAt: 0,
  expiresAt: 600_000,
};

type Data = NonNullable<ReturnType<typeof answerOf>['data']>;

/** The texts of an answer that a person reads, in order. */
function textsFor({ requisites = [], details = [], instruction }: Data): string[] {
  const steps = instruction && 'steps' in instruction ? instruction.steps : [];
  return [
    ...requisites.map(({ title }) => title),
    ...details.filter(({ type }) => type !== 'link' && type !== 'QR').map(({ name }) => name),
    ...steps.map(({ stepInstruction }) => stepInstruction),
    ...(instruction && 'text' in instruction ? [instruction.text] : []),
  ];
}
