import { type PaymentMethod, type PayoutAccount, payoutAccountsGet } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Switch } from '../../ui/inputs/switch.tsx';
import { Card } from '../../ui/page/card.tsx';
import type { Fields } from '../form/field-state.ts';
import { draftOf } from '../session/drafts.ts';
import { lazyPart } from '../session/lazily.ts';
import { type Texts, useServices, useSession, useTexts } from '../session/services.tsx';
import { shownValue } from '../withdrawal/destination.tsx';
import { withdrawalDraft } from '../withdrawal/use-withdrawal-amount.ts';
import styles from './saved-accounts.module.css';

// Few users remove an account.
const RemoveAccount = lazyPart(async () => (await import('./remove-account.tsx')).RemoveAccount);

export interface SavedAccounts {
  readonly accounts: readonly PayoutAccount[];
  /** Undefined: the user types a new account. */
  readonly chosen: string | undefined;
  /** Whether the typed account is to be saved. */
  readonly isKept: boolean;
  choose(accountId: string | undefined): void;
  keep(isKept: boolean): void;
  /** The account was removed. */
  forget(accountId: string): void;
}

/**
 * The accounts that this user has saved for a method (WD-1). The first fresh answer chooses the account used last, unless the
 * user was faster. From then on only the user chooses. A removed account gives way to the empty form, never to another account.
 * Without an answer there are none, and the user fills in the form as usual.
 */
export function useSavedAccounts(method: PaymentMethod): SavedAccounts {
  const services = useServices();
  const { api, queries, session } = services;
  const { currency } = useSession();
  // A card can get back only payments in one currency.
  const ofCurrency = method.flags?.paysToPaidCards === true ? { currency } : {};
  const queryKey = ['payout-accounts', session.getState().payload.userId, method.name, ofCurrency];
  const draft = draftOf(services, withdrawalDraft(method), currency);
  const [choice, setChoice] = useState(draft.account);
  const [isKept, setKept] = useState(false);
  const { data, isFetchedAfterMount } = useQuery({
    queryKey,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.call(payoutAccountsGet, { paymentMethod: method.name, ...ofCurrency }, { signal })).accounts,
  });
  // The first choice waits for a fresh answer. A choice that was already made can be shown from the cache.
  const isSettled = isFetchedAfterMount || (choice !== undefined && data !== undefined);
  const accounts = isSettled ? (data ?? []).filter((account) => fitsForm(account, method)) : [];
  const wanted = choice === undefined ? accounts[0]?.accountId : choice.accountId;
  const chosen = accounts.find(({ accountId }) => accountId === wanted)?.accountId;
  // The choice is fixed, so that a later answer in another order cannot send the money to another account.
  if (isSettled && (choice === undefined || choice.accountId !== chosen)) setChoice({ accountId: chosen });
  const choose = (accountId: string | undefined) => {
    draft.account = { accountId };
    setChoice({ accountId });
  };
  const forget = (accountId: string) => {
    const last = draft.account ? draft.account.accountId : chosen;
    if (last === accountId) choose(undefined);
    queries.setQueryData<readonly PayoutAccount[]>(queryKey, (known) =>
      known?.filter((account) => account.accountId !== accountId),
    );
    void queries.invalidateQueries({ queryKey });
  };
  return {
    accounts,
    chosen,
    isKept,
    choose,
    keep(isOn) {
      choose(undefined);
      setKept(isOn);
    },
    forget,
  };
}

/** If the user has already chosen a part, such as the bank, accounts with another value do not fit. */
const fitsForm = ({ destination }: PayoutAccount, { fields }: PaymentMethod): boolean =>
  fields.every(
    ({ name, props }) =>
      props?.isHidden !== true ||
      props.value === undefined ||
      destination.every((part) => part.name !== name || part.value === props.value),
  );

/** The fields of a new account. A user who types has chosen a new account, even if the list of accounts loads later. */
export function typedAccount(fields: Fields, { choose }: SavedAccounts): Fields {
  const states = fields.states.map((state): Fields['states'][number] => ({
    ...state,
    onFocus() {
      choose(undefined);
      state.onFocus();
    },
    onEdit(edit) {
      choose(undefined);
      return state.onEdit(edit);
    },
    onChoose(value) {
      choose(undefined);
      state.onChoose(value);
    },
    onPrefix(prefix) {
      choose(undefined);
      state.onPrefix(prefix);
    },
  }));
  return { ...fields, states };
}

/** The choice between the saved accounts, which are masked, and a new account. */
export function SavedAccountChoice({
  saved,
  method,
  isDisabled,
}: {
  readonly saved: SavedAccounts;
  readonly method: PaymentMethod;
  /** True while the withdrawal is being sent. */
  readonly isDisabled: boolean;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const { currency } = useSession();
  const name = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const [asked, setAsked] = useState<PayoutAccount>();
  const [removed, setRemoved] = useState<string>();
  useEffect(() => {
    // The pressed button has gone with its account.
    if (removed !== undefined) group.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
  }, [removed]);
  if (saved.accounts.length === 0) return null;
  // The user can neither remove a card that paid, nor type another one.
  const isFixed = method.flags?.paysToPaidCards === true;
  const mostText = (amount: string) =>
    translate('amount.hint.to', {
      to: formatWireAmount({ amount, currency }, texts.formatLocale, { trimWhole: true, isolate: true }) ?? amount,
    });
  return (
    <Card>
      <fieldset ref={group} className={styles.accounts} disabled={isDisabled}>
        <legend className={styles.legend}>{translate(isFixed ? 'field.name.cardNumber' : 'saved.title')}</legend>
        {saved.accounts.map((account) => (
          <div key={account.accountId} className={styles.row}>
            <label className={styles.option}>
              <input
                type="radio"
                name={name}
                checked={saved.chosen === account.accountId}
                onChange={() => saved.choose(account.accountId)}
              />
              <span className={styles.text}>
                <bdi>{accountText(account, method)}</bdi>
                {account.max !== undefined && <small className={styles.most}>{mostText(account.max)}</small>}
              </span>
            </label>
            {!isFixed && (
              <IconButton
                icon="close"
                label={translate('saved.remove', { account: accountText(account, method) })}
                onClick={() => setAsked(account)}
              />
            )}
          </div>
        ))}
        {!isFixed && (
          <label className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={saved.chosen === undefined}
              onChange={() => saved.choose(undefined)}
            />
            <span className={styles.text}>{translate('saved.other')}</span>
          </label>
        )}
      </fieldset>
      {asked && (
        <Suspense fallback={null}>
          <RemoveAccount
            accountId={asked.accountId}
            account={accountText(asked, method)}
            onClose={() => setAsked(undefined)}
            onRemoved={() => {
              setAsked(undefined);
              setRemoved(asked.accountId);
              saved.forget(asked.accountId);
            }}
          />
        </Suspense>
      )}
    </Card>
  );
}

/** `State Bank · •••• 4312 · A••• R•••`. */
function accountText({ destination }: PayoutAccount, method: PaymentMethod): string {
  return destination
    .map(({ name, value }) =>
      shownValue(
        value,
        method.fields.find((field) => field.name === name),
      ),
    )
    .join(' · ');
}

/** The switch that saves the account. It is off by default, because only the user decides what is saved. */
export function KeepAccount({ saved, texts }: { readonly saved: SavedAccounts; readonly texts: Texts }) {
  const words = texts.translate('saved.keep');
  return (
    <div className={styles.keep}>
      <span>{words}</span>
      <Switch label={words} isOn={saved.isKept} onChange={saved.keep} />
    </div>
  );
}
