import type { AccountType, PaymentMethod } from '@opencashier/contract/api';
import { useEffect, useRef, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { refusedNames } from '../session/failure-code.ts';
import { usePlace } from '../session/product-context.tsx';
import { type Texts, useServices, useStore, useTexts } from '../session/services.tsx';
import { createWithdrawalDriver } from './withdrawal-driver.ts';
import type { DriverPorts } from './withdrawal-effects.ts';
import type { EngineState } from './withdrawal-engine.ts';
import { completePath, confirmPath } from './withdrawal-paths.ts';
import { withdrawalErrorText } from './withdrawal-text.ts';

/** What the user filled in. */
export interface WithdrawalValues {
  /** Canonical decimal string of the session's currency. */
  readonly amount: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly accountType: AccountType;
  /** The quote of the shown payout in another currency (SWP-2). */
  readonly quote?: string | undefined;
  /** A saved account, which replaces the fields. */
  readonly payoutAccountId?: string | undefined;
  readonly keepsAccount?: boolean | undefined;
  /** What to do when the bank knows the account under a nearly equal name. */
  readonly payeeName?: 'ask' | 'keep' | undefined;
  readonly isValid: boolean;
}

export interface Withdrawal {
  readonly at: EngineState['at'];
  readonly isBusy: boolean;
  /** The outcome is not known. The screen says that it is being checked, and not to withdraw again. */
  readonly isBeingChecked: boolean;
  /** The withdrawal's id, once there is one. */
  readonly withdrawalId: string | undefined;
  submit(values: WithdrawalValues): void;
}

interface WithdrawalOptions {
  readonly method: PaymentMethod;
  /** Shows the errors of the form and moves the focus to the first one. */
  readonly onInvalid: () => void;
  /** The server refused the amount. Gets the error's code and the limit that holds now. True when the amount field shows it. */
  readonly onRefusedAmount: (code: string, params: Readonly<Record<string, string>>) => boolean;
  /** The server refused the quote; a fresh one may be in `params`. */
  readonly onRefusedQuote?: ((params: Readonly<Record<string, string>>) => void) | undefined;
  /** The bank knows the account under this nearly equal name, and the user must choose. */
  readonly onCloseMatch: (name: string) => void;
  /** The server refused fields of the form; `words` is its reason, if it gave one. */
  readonly onRefusedFields: (names: readonly string[], words: string | undefined) => void;
}

/** Puts the amount of a withdrawal on hold by the engine, and leads to the confirm screen (WD-2). */
export function useWithdrawal(options: WithdrawalOptions): Withdrawal {
  const { method } = options;
  const services = useServices();
  const texts = useTexts();
  const { tree } = usePlace();
  const ports: DriverPorts = {
    services,
    showErrors: options.onInvalid,
    handleError(failure, _step, cause) {
      const known = cause instanceof ClientError ? cause : undefined;
      if (known?.code === 'rate-stale' && options.onRefusedQuote) return options.onRefusedQuote(known.params);
      const closeName = known?.code === 'payee-close-match' ? known.params['name'] : undefined;
      if (closeName !== undefined) return options.onCloseMatch(closeName);
      if (known && options.onRefusedAmount(known.code, known.params)) return;
      const { names, words } = refusedFields(known, texts);
      if (names.length > 0) options.onRefusedFields(names, words);
      if (words === undefined) services.notify({ kind: 'error', text: withdrawalErrorText(failure, texts) });
    },
    go(to, withdrawalId) {
      // The form stays in the history, so the Back button of the confirm screen leads to it.
      if (to === 'confirm') services.navigation.go(confirmPath(tree, withdrawalId), { state: { from: 'form' } });
      else services.navigation.go(completePath(tree, withdrawalId), { replace: true });
    },
    makeId: () => crypto.randomUUID(),
  };
  // The driver outlives renders, so it reads the ports of the last render.
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });
  const [driver] = useState(() => createWithdrawalDriver(latestPorts(latest)));
  const state = useStore(driver);
  useEffect(() => () => driver.dispose(), [driver]);
  return {
    at: state.at,
    isBusy: state.at !== 'idle' && state.at !== 'failed',
    isBeingChecked: isBeingChecked(state),
    withdrawalId: 'withdrawalId' in state ? state.withdrawalId : undefined,
    submit({ amount, fields, accountType, quote, payoutAccountId, keepsAccount, payeeName, isValid }) {
      const { currency, country } = services.session.getState();
      const request = {
        amount,
        currency,
        paymentMethod: method.name,
        fields: payoutAccountId === undefined ? fields : {},
        selectedCountry: country,
        accountType,
        ...(quote !== undefined && { quote }),
        ...(payoutAccountId !== undefined && { payoutAccountId }),
        ...(keepsAccount === true && payoutAccountId === undefined && { keepsAccount }),
        ...(payeeName !== undefined && payoutAccountId === undefined && { payeeName }),
      };
      driver.submit(request, isValid);
    },
  };
}

/** A repeat of the create is part of the check. */
function isBeingChecked(state: EngineState): boolean {
  const isRepeat = state.at === 'calling' && state.step.kind === 'create' && state.step.isRepeat === true;
  return state.at === 'checking' || isRepeat;
}

/** The fields that the server refused. `words`: the server's own reason, such as the network of a wallet's address. */
function refusedFields(
  failure: ClientError | undefined,
  texts: Texts,
): { readonly names: readonly string[]; readonly words: string | undefined } {
  const key = failure?.fields[0]?.message;
  const own = failure?.code === 'banking.merchantClientError' ? key : undefined;
  const words = key !== undefined && texts.has(key) ? texts.translate(key, failure?.params) : own;
  return { names: refusedNames(failure), words };
}

/** The ports of the last render, because the driver outlives renders. */
export function latestPorts(latest: { readonly current: DriverPorts }): DriverPorts {
  return {
    get services() {
      return latest.current.services;
    },
    showErrors: () => latest.current.showErrors(),
    handleError: (failure, step, cause) => latest.current.handleError(failure, step, cause),
    go: (to, withdrawalId) => latest.current.go(to, withdrawalId),
    makeId: () => latest.current.makeId(),
  };
}
