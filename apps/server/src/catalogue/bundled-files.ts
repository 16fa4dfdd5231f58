/** The catalogue that ships with the cashier, as raw JSON: `json-catalogue.ts` checks it at every start. */

import { wordFiles } from '../languages/word-files.ts';
import countries from './data/countries.json' with { type: 'json' };
import groups from './data/groups.json' with { type: 'json' };
import bank from './data/methods/bank.json' with { type: 'json' };
import card from './data/methods/card.json' with { type: 'json' };
import cash from './data/methods/cash.json' with { type: 'json' };
import chains from './data/methods/chains.json' with { type: 'json' };
import crypto from './data/methods/crypto.json' with { type: 'json' };
import forms from './data/methods/forms.json' with { type: 'json' };
import instant from './data/methods/instant.json' with { type: 'json' };
import p2p from './data/methods/p2p.json' with { type: 'json' };
import regional from './data/methods/regional.json' with { type: 'json' };
import stripe from './data/methods/stripe.json' with { type: 'json' };
import wallets from './data/methods/wallets.json' with { type: 'json' };
import bankWithdrawals from './data/methods/withdrawals/bank.json' with { type: 'json' };
import cardWithdrawals from './data/methods/withdrawals/cards.json' with { type: 'json' };
import cashWithdrawals from './data/methods/withdrawals/cash.json' with { type: 'json' };
import cryptoWithdrawals from './data/methods/withdrawals/crypto.json' with { type: 'json' };
import instantWithdrawals from './data/methods/withdrawals/instant.json' with { type: 'json' };
import redemption from './data/methods/withdrawals/redemption.json' with { type: 'json' };
import walletWithdrawals from './data/methods/withdrawals/wallets.json' with { type: 'json' };
import tiles from './data/tiles.json' with { type: 'json' };

/** Contents by file name, unread. */
export interface CatalogueFiles {
  readonly countries: unknown;
  readonly groups: unknown;
  /** Absent: every method has a tile of its own. */
  readonly tiles?: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
  /** Translations of their texts, by language. */
  readonly words: unknown;
}

export const bundledFiles: CatalogueFiles = {
  countries,
  groups,
  tiles,
  words: wordFiles,
  methods: {
    'methods/card.json': card,
    'methods/stripe.json': stripe,
    'methods/instant.json': instant,
    'methods/wallets.json': wallets,
    'methods/p2p.json': p2p,
    'methods/bank.json': bank,
    'methods/cash.json': cash,
    'methods/crypto.json': crypto,
    'methods/chains.json': chains,
    'methods/forms.json': forms,
    'methods/regional.json': regional,
    'methods/withdrawals/cards.json': cardWithdrawals,
    'methods/withdrawals/instant.json': instantWithdrawals,
    'methods/withdrawals/wallets.json': walletWithdrawals,
    'methods/withdrawals/bank.json': bankWithdrawals,
    'methods/withdrawals/cash.json': cashWithdrawals,
    'methods/withdrawals/crypto.json': cryptoWithdrawals,
    'methods/withdrawals/redemption.json': redemption,
  },
};
