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

/** What the form's screen fills in. */
export interface WithdrawalValues {
  /** Canonical decimal string of the session's currency. */
  readonly amount: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly accountType: AccountType;
  /** What arrives in another currency was shown by this quote (SWP-2). */
  readonly quote?: string | undefined;
  /** A kept account takes the place of the fields. */
  readonly payoutAccountId?: string | undefined;
  readonly keepsAccount?: boolean | undefined;
  readonly isValid: boolean;
}

export interface Withdrawal {
  readonly at: EngineState['at'];
  readonly isBusy: boolean;
  /** The outcome is not known: say that it is being checked, and not to withdraw again. */
  readonly isBeingChecked: boolean;
  /** The number of the withdrawal, once there is one. */
  readonly withdrawalId: string | undefined;
  submit(values: WithdrawalValues): void;
}

interface WithdrawalOptions {
  readonly method: PaymentMethod;
  /** Shows what is wrong with the form and leads to the first such place. */
  readonly onInvalid: () => void;
  /** The server refused the amount: by its code, with the bound that holds now. True when that is shown in place. */
  readonly onRefusedAmount: (code: string, params: Readonly<Record<string, string>>) => boolean;
  /** The server refused the quote; a fresh one may be in `params`. */
  readonly onRefusedQuote?: ((params: Readonly<Record<string, string>>) => void) | undefined;
  /** The server refused a field of the form; `words` where it said why. */
  readonly onRefusedFields: (names: readonly string[], words: string | undefined) => void;
}

/** Holds the amount of a withdrawal by the one engine and leads on to the confirm screen (WD-2). */
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
      if (known && options.onRefusedAmount(known.code, known.params)) return;
      const { names, words } = refusedFields(known, texts);
      if (names.length > 0) options.onRefusedFields(names, words);
      if (words === undefined) services.notify({ kind: 'error', text: withdrawalErrorText(failure, texts) });
    },
    go(to, withdrawalId) {
      // The form stays below the confirm screen: its Back button leads to what was typed.
      if (to === 'confirm') services.navigation.go(confirmPath(tree, withdrawalId), { state: { from: 'form' } });
      else services.navigation.go(completePath(tree, withdrawalId), { replace: true });
    },
    makeId: () => crypto.randomUUID(),
  };
  // The driver outlives renders; it reads what the last one brought.
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
    isBeingChecked: state.at === 'checking',
    withdrawalId: 'withdrawalId' in state ? state.withdrawalId : undefined,
    submit({ amount, fields, accountType, quote, payoutAccountId, keepsAccount, isValid }) {
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
      };
      driver.submit(request, isValid);
    },
  };
}

/** The fields that the server refused. `words`: the server's own reason, such as the network of a wallet's address. */
function refusedFields(
  failure: ClientError | undefined,
  texts: Texts,
): { readonly names: readonly string[]; readonly words: string | undefined } {
  const key = failure?.fields[0]?.message;
  const words = key !== undefined && texts.has(key) ? texts.translate(key, failure?.params) : undefined;
  return { names: refusedNames(failure), words };
}

/** Ports of the last render: the driver outlives renders. */
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
