/** What the four list calls share: the catalogue's list with the user's balance beside it (LIST-1, WD-1). */
import type { MethodList } from '@opencashier/contract/api';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { LastDeposit } from '../../catalogue/list-state.ts';
import { wordFiles } from '../../languages/word-files.ts';
import english from '../../languages/words/en.json' with { type: 'json' };
import { createWords } from '../../languages/words.ts';
import { isKeptByWallets } from '../../operator-wallet/wallet-mode.ts';
import type { CallScope } from '../handler/call.ts';
import { joinedAnswer } from '../handler/joined-answer.ts';
import type { Services } from '../handler/services.ts';

const words = createWords(wordFiles);

export async function methodListOf(
  direction: 'deposit' | 'withdrawal',
  country: string,
  currency: string,
  scope: CallScope,
  services: Services,
): Promise<MethodList> {
  const { catalogue, listStateOf, walletBalanceOf } = services;
  const { operatorId, userId } = scope.caller;
  const language = scope.context.language;
  const { main, additional, catalogueVersion, lastDeposit, walletMode } = await listStateOf(
    scope.caller,
    currency,
    direction,
  );
  // The operator may just have changed the catalogue at another node. This list must show the change.
  await catalogue.follow(operatorId, catalogueVersion);
  const all = catalogue.list({ operatorId, direction, country, currency, language });
  const list = direction === 'withdrawal' ? await withoutCardless(all, scope, services) : all;
  const again = lastDeposit === undefined ? {} : { lastDeposit: lastDepositView(lastDeposit) };
  // An operator that only passes deposits through makes withdrawals of money in its own system. Coins are kept and redeemed here.
  if (walletMode === 'pass-through' && direction === 'withdrawal' && isKeptByWallets(currency))
    return { country, currency, groups: [], methods: [], isOffered: false };
  if (!findCurrency(currency)) return joinedAnswer(list, again);
  const write = (minor: bigint) => ({ currency, amount: toDecimalString(minor, decimalsOf(currency)) });
  if (walletMode !== 'cashier' && isKeptByWallets(currency)) {
    const minor = walletMode === 'operator' ? await walletBalanceOf({ operatorId, userId, currency }) : undefined;
    return joinedAnswer(list, { ...again, ...(minor !== undefined && { balance: write(minor) }) });
  }
  const balance = write(main);
  if (direction === 'deposit') return joinedAnswer(list, { ...again, balance });
  return joinedAnswer(list, { balance, additionalBalance: write(additional) });
}

/** Leaves out methods that pay only to cards that paid, for a user who has no such card. */
async function withoutCardless(
  list: MethodList,
  { caller }: CallScope,
  { withdrawals }: Pick<Services, 'withdrawals'>,
): Promise<MethodList> {
  const left: string[] = [];
  for (const { name, flags } of list.methods) {
    if (flags?.paysToPaidCards !== true) continue;
    const cards = await withdrawals.cards(caller, name, list.currency);
    if (cards?.length === 0) left.push(name);
  }
  if (left.length === 0) return list;
  const isKept = (name: string): boolean => !left.includes(name);
  const groups = list.groups.map((group) => ({ ...group, paymentMethods: group.paymentMethods.filter(isKept) }));
  return {
    ...list,
    groups: groups.filter(({ paymentMethods }) => paymentMethods.length > 0),
    methods: list.methods.filter(({ name }) => isKept(name)),
  };
}

function lastDepositView({ paymentMethod, currency, amount }: LastDeposit): MethodList['lastDeposit'] {
  return {
    paymentMethod,
    currency,
    ...(amount !== null && { amount: toDecimalString(amount, decimalsOf(currency)) }),
  };
}

/** The same methods in one group, for hosts that ask for a flat list. */
export function flattened(list: MethodList, language: string): MethodList {
  if (list.methods.length === 0) return list;
  const en = english['group.all'];
  const paymentMethods = list.methods.map(({ name }) => name);
  return {
    ...list,
    groups: [
      {
        name: 'all',
        label: { en, [language]: words(en, language) ?? en },
        paymentMethods,
        position: 1,
        display: 'list',
      },
    ],
  };
}
