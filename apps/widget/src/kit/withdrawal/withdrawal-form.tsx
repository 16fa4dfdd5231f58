import type { AccountType, MethodList, PaymentMethod } from '@opencashier/contract/api';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Segmented } from '../../ui/inputs/segmented.tsx';
import { Page, PageFooter, PageForm, PageNote } from '../../ui/page/page.tsx';
import { AmountForm } from '../amount/amount-form.tsx';
import { DynamicForm } from '../form/dynamic-form.tsx';
import { provideFieldCode } from '../form/field-code.ts';
import { FieldList, type UnderField } from '../form/field-list.tsx';
import { readFields, startOf } from '../form/field-reading.ts';
import type { Fields } from '../form/field-state.ts';
import { SubmitButton } from '../form/submit-button.tsx';
import { useFields } from '../form/use-fields.ts';
import { useLeadToFault } from '../form/use-lead-to-fault.ts';
import { MethodHead } from '../method/method-head.tsx';
import { useMethodList } from '../method/method-list.ts';
import { PayoutNote, payoutText, rateRow } from '../payout/payout-note.tsx';
import { type PayoutField, usePayout } from '../payout/use-payout.ts';
import {
  KeepAccount,
  SavedAccountChoice,
  type SavedAccounts,
  typedAccount,
  useSavedAccounts,
} from '../payout-account/saved-accounts.tsx';
import { OfflineAlert, useOfflinePress } from '../session/offline-press.tsx';
import { usePlace } from '../session/product-context.tsx';
import { type Texts, useServices, useTexts } from '../session/services.tsx';
import { CheckingPage } from '../status/checking-view.tsx';
import { feeText } from './fee-text.ts';
import { PayeeQuestion } from './payee-question.tsx';
import { Summary } from './summary.tsx';
import { PAYEE_FIELD, type PayeeName, usePayeeName } from './use-payee-name.ts';
import { useWalletCheck } from './use-wallet-check.ts';
import { useWithdrawal, type Withdrawal, type WithdrawalValues } from './use-withdrawal.ts';
import { useWithdrawalAmount, type WithdrawalAmount, withdrawalDraft } from './use-withdrawal-amount.ts';
import type { WithdrawalReport } from './use-withdrawal-report.ts';
import { WithdrawalFacts } from './withdrawal-facts.tsx';
import styles from './withdrawal-form.module.css';
import { amountText } from './withdrawal-text.ts';

// Every way of withdrawing asks for something beside the amount.
provideFieldCode({ FieldList, readFields, startOf, compileRule });

interface WithdrawalFormProps {
  readonly method: PaymentMethod;
  /** The part of the balance that can be withdrawn now, if it is not all; `children` then say why. */
  readonly available?: string;
  /** Shown between the method's head and the amount. */
  readonly children?: ReactNode;
}

/**
 * Amount, account, the method's own fields and the button that puts the amount on hold. It is the first screen of most
 * withdrawals.
 */
export function WithdrawalForm(props: WithdrawalFormProps) {
  const state = useMethodList('withdrawal');
  // The guard has loaded the list, so it is missing only during a change of region.
  return state.at === 'ready' ? <LoadedForm {...props} list={state.list} /> : null;
}

function LoadedForm({ method, list, available, children }: WithdrawalFormProps & { readonly list: MethodList }) {
  const texts = useTexts();
  const { translate } = texts;
  const form = useRef<HTMLFormElement>(null);
  const [accountType, setAccountType] = useState<AccountType>('main');
  const saved = useSavedAccounts(method);
  const chosen = saved.accounts.find(({ accountId }) => accountId === saved.chosen);
  const amount = useWithdrawalAmount(method, list, accountType, available, chosen);
  const payout = usePayout(method, amount.split === undefined ? undefined : amount.canonical);
  const quote = payout?.payout.at === 'ready' ? payout.payout.quote : undefined;
  const isRated = payout === undefined || quote !== undefined;
  const rated = { isTriggered: amount.split !== undefined, isValid: isRated, isFilled: isRated };
  const fields = typedAccount(useFields(method.fields, method, withdrawalDraft(method), useWalletCheck(method)), saved);
  // A method that pays only to cards which paid has no form. Its list has the cards of this user.
  const isTyped = saved.chosen === undefined && method.flags?.paysToPaidCards !== true;
  const isDestined = saved.chosen !== undefined || (isTyped && fields.isValid);
  const payee = usePayeeName(fields);
  const focusFirstInvalid = useLeadToFault(form);
  const offlinePress = useOfflinePress();
  const withdrawal = useWithdrawal({
    method,
    onInvalid() {
      amount.reveal();
      fields.reveal();
      focusFirstInvalid();
    },
    onRefusedAmount(code, params) {
      const isShown = amount.refuse(code, params);
      if (isShown) focusFirstInvalid();
      return isShown;
    },
    onRefusedQuote: payout?.refuse,
    onCloseMatch: payee.ask,
    onRefusedFields(names, words) {
      fields.refuse(names, words);
      focusFirstInvalid();
    },
  });
  const { currency } = amount;

  if (withdrawal.isBeingChecked) {
    return <BeingChecked {...{ method, amount, withdrawal }} destination={destinationOf(fields, saved)} />;
  }
  const send = (change: Partial<WithdrawalValues> = {}) => {
    if (offlinePress.refuses()) return;
    // Fixes the choice, so that the screen "being checked" shows the account that was sent.
    saved.choose(saved.chosen);
    withdrawal.submit({
      amount: amount.canonical ?? '',
      fields: fields.values,
      accountType,
      quote,
      payoutAccountId: saved.chosen,
      keepsAccount: saved.isKept,
      payeeName: payee.choice,
      isValid: amount.error === undefined && amount.canonical !== undefined && isDestined && isRated,
      ...change,
    });
  };
  return (
    <PageForm ref={form} onSubmit={() => send()}>
      <Page>
        <MethodHead method={method} guide={method.video_guide_url} />
        {children}
        {available === undefined && (
          <div className={styles.line}>
            <HowTo method={method.name} />
            <Accounts list={list} chosen={accountType} onChoose={setAccountType} />
          </div>
        )}
        <AmountForm amount={amount} isDisabled={withdrawal.isBusy} lastChip={wholeBalanceChip(amount, texts)} />
        <Result amount={amount} payout={payout} />
        {payout && <PayoutNote field={payout} />}
        <SavedAccountChoice saved={saved} method={method} isDisabled={withdrawal.isBusy} />
        {isTyped && (
          <>
            <DynamicForm
              fields={fields}
              isDisabled={withdrawal.isBusy}
              under={questionUnder({ fields, payee, isBusy: withdrawal.isBusy, send })}
            />
            <KeepAccount saved={saved} texts={texts} />
          </>
        )}
      </Page>
      <PageFooter>
        <OfflineAlert press={offlinePress} />
        <SubmitButton
          asked={[amount.submit, rated, ...(isTyped ? fields.states.map(({ submit }) => submit) : [])]}
          isBusy={withdrawal.isBusy}
        >
          {amount.split === undefined || amount.canonical === undefined
            ? translate('withdrawal.continue')
            : translate('withdrawal.continueAmount', { amount: amountText(amount.canonical, currency, texts, true) })}
        </SubmitButton>
        <PageNote>{translate(withdrawal.isBusy ? 'withdrawal.creating' : 'withdrawal.note')}</PageNote>
      </PageFooter>
    </PageForm>
  );
}

interface BeingCheckedProps {
  readonly method: PaymentMethod;
  readonly amount: WithdrawalAmount;
  readonly withdrawal: Withdrawal;
  readonly destination: WithdrawalReport['destination'];
}

/** The outcome of the create call is not known. */
function BeingChecked({ method, amount: { canonical, currency }, withdrawal, destination }: BeingCheckedProps) {
  const facts = { amount: canonical ?? '', currency, destination };
  return (
    <CheckingPage
      words="withdrawal.checking"
      details={<WithdrawalFacts {...facts} method={method} withdrawalId={withdrawal.withdrawalId} />}
    />
  );
}

/** The button to the steps of a withdrawal, for a user who has never withdrawn. */
function HowTo({ method }: { readonly method: string }) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  return (
    <Button look="pill" onClick={() => navigation.go(`${tree}/redirect/${encodeURIComponent(method)}/instruction`)}>
      {translate('withdrawalInstruction.howTo')}
    </Button>
  );
}

interface AskedName {
  readonly fields: Fields;
  readonly payee: PayeeName;
  readonly isBusy: boolean;
  send(change: Partial<WithdrawalValues>): void;
}

/** The question about the payee's name, under its field. Either answer goes on at once. */
function questionUnder({ fields, payee, isBusy, send }: AskedName): UnderField | undefined {
  const { suggested } = payee;
  const typed = fields.states.find(({ field }) => field.name === PAYEE_FIELD);
  if (suggested === undefined || typed === undefined) return undefined;
  const content = (
    <PayeeQuestion
      // A further press without a choice brings the same question. It takes the focus again.
      key={payee.times}
      {...{ suggested, isBusy }}
      typed={fields.values[PAYEE_FIELD] ?? ''}
      onUse={() => {
        typed.onChoose(suggested);
        send({ fields: { ...fields.values, [PAYEE_FIELD]: suggested } });
      }}
      onKeep={() => {
        payee.keep();
        send({ payeeName: 'keep' });
      }}
    />
  );
  return { field: PAYEE_FIELD, content };
}

/** Where the money goes: the saved account, else the typed one. */
function destinationOf(fields: Fields, saved: SavedAccounts): WithdrawalReport['destination'] {
  const account = saved.accounts.find(({ accountId }) => accountId === saved.chosen);
  if (account !== undefined) return account.destination;
  return fields.states.flatMap(({ field: { name } }) => {
    const value = fields.values[name];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** The chip of the whole balance. Its place stays closed while the balance is not known, or too small. */
function wholeBalanceChip({ all, currency, keepsPlaces }: WithdrawalAmount, texts: Texts) {
  const text = texts.translate('withdrawal.all');
  if (all === undefined) return keepsPlaces ? { value: '', text, isDisabled: true, keepsOthers: true } : undefined;
  const name = texts.translate('withdrawal.all.name', { amount: amountText(all, currency, texts, true) });
  return { value: all, text, name, keepsOthers: keepsPlaces };
}

/** The balance of the account, or a choice between two accounts (WD-1). */
function Accounts({
  list,
  chosen,
  onChoose,
}: {
  readonly list: MethodList;
  readonly chosen: AccountType;
  readonly onChoose: (account: AccountType) => void;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const { balance, additionalBalance } = list;
  if (balance === undefined) return null;
  const written = ({ amount, currency }: typeof balance) => amountText(amount, currency, texts);
  if (additionalBalance === undefined || isNothing(additionalBalance.amount)) {
    return (
      <p className={styles.balance}>
        {translate('withdrawal.available')} <b>{written(balance)}</b>
      </p>
    );
  }
  const choice = (value: AccountType, of: typeof balance) => ({
    value,
    text: translate('withdrawal.account.choice', {
      account: translate(`withdrawal.account.${value}`),
      amount: amountText(of.amount, of.currency, texts, true),
    }),
  });
  return (
    <Segmented
      label={translate('withdrawal.account')}
      options={[choice('main', balance), choice('additional', additionalBalance)]}
      chosen={chosen}
      onChoose={(value) => onChoose(value === 'additional' ? 'additional' : 'main')}
    />
  );
}

/** Whether a decimal string is zero. */
const isNothing = (amount: string): boolean => !/[1-9]/.test(amount);

/** The fee and the amount that arrives. Before an amount is typed, it shows the rule of the fee. */
function Result({
  amount: { split, fees, currency },
  payout,
}: {
  readonly amount: WithdrawalAmount;
  readonly payout: PayoutField | undefined;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const fee = feeText(fees, split?.fee, currency, texts);
  const { clock } = useServices();
  const rate = payout && 'rate' in payout.payout ? payout.payout.rate : undefined;
  return (
    <Summary
      rows={[
        { id: 'fee', title: translate('withdrawal.fee'), value: fee },
        ...(rate && payout ? [rateRow(rate, { from: currency, to: payout.currency }, clock.now(), texts)] : []),
        {
          id: 'receives',
          title: translate('withdrawal.receives'),
          value: payout ? payoutText(payout, texts) : split ? amountText(split.receives, currency, texts) : '–',
          isMain: true,
        },
      ]}
    />
  );
}
