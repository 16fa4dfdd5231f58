/** A coin on three networks, and a server that answers with addresses. */
import type { DepositData, PaymentMethod, Transaction } from '@opencashier/contract/api';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import type { Session } from '../../kit/session/services.tsx';
import { type Answers, createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

export const tether: PaymentMethod = {
  name: 'usdt',
  category: 'crypto',
  cardViewType: 0,
  text: { en: 'Tether' },
  position: 1,
  iconIds: ['usdt'],
  amount_rules: { INR: { min: '850', max: '100000' } },
  video_guide_url: 'https://video.example/crypto',
  fields: [
    {
      name: 'network',
      type: 'networks',
      values: [
        { text: 'ERC-20', value: 'erc20' },
        { text: 'TRC-20', value: 'trc20' },
        { text: 'BEP-20', value: 'bep20' },
      ],
    },
  ],
  flags: { noNewWindow: true, linkSchemes: ['ethereum'] },
};

export const tron = 'TXk9qVnZ2sW7cQ4yRr1uB8mLpJ6dH3fAe5';

export const ether = `0x${'12'.repeat(20)}`;

export const addresses: Readonly<Record<string, Partial<DepositData>>> = {
  trc20: { depositAddress: tron, qrCodeText: tron, minDepositValue: '10' },
  erc20: { depositAddress: ether, qrCodeText: `ethereum:${ether}@1?value=1`, minDepositValue: '20' },
  bep20: { depositAddress: '', minDepositValue: '10' },
};

export interface Create {
  readonly depositId: string;
  readonly amount: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Like the server, it repeats the first answer under a key. */
export function addressServer() {
  const answers = new Map<string, unknown>();
  return ({ depositId, fields }: Create) => {
    const network = fields['network'] ?? '';
    const known = answers.get(depositId) ?? {
      apiResponse: { depositId, data: { ...addresses[network], cryptoName: 'USDT', network } },
    };
    answers.set(depositId, known);
    return known;
  };
}

export const report =
  (more: Partial<Transaction> = {}) =>
  ({ depositId }: { depositId: string }): Transaction => ({
    depositId,
    paymentMethod: 'usdt',
    status: 0,
    amount: '850.00',
    currency: 'INR',
    created: '2026-01-01T00:00:00Z',
    serverTime: '2026-01-01T00:00:00Z',
    ...more,
  });

export const cryptoServices = (answers: Answers = {}, session: Session = createSession()) =>
  createFixtureServices(
    {
      'methods-payment-v5': {
        ...indiaCatalogue,
        methods: [...indiaCatalogue.methods.filter(({ name }) => name !== 'usdt'), tether],
      },
      'deposit-limits': { currency: 'INR', min: '0', max: '0' },
      'deposit-create': addressServer(),
      'deposit-status': report(),
      'payment-convert-v2': { amount: '850.51', rate: '85.051', asOf: '2026-01-01T00:00:00Z' },
      ...answers,
    },
    { session },
  );
