import type { PaymentMethod } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Page, PageFooter, PageForm, PageNote } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { AmountForm } from '../amount/amount-form.tsx';
import { type DepositAmount, useAmount } from '../amount/use-amount.ts';
import type { BonusPress } from '../bonus/bonus-choice.tsx';
import { DynamicForm } from '../form/dynamic-form.tsx';
import { SubmitButton } from '../form/submit-button.tsx';
import { useFields } from '../form/use-fields.ts';
import { useLeadToFault } from '../form/use-lead-to-fault.ts';
import { MethodHead } from '../method/method-head.tsx';
import { TileChoices } from '../method/tile-choices-part.ts';
import { lazyPart } from '../session/lazily.ts';
import { FaultAlert, usePressFault } from '../session/press-fault.tsx';
import { usePlace } from '../session/product-context.tsx';
import { type Texts, useServices, useSession, useTexts } from '../session/services.tsx';
import type { DepositVariant } from './deposit-ports.ts';
import { useOrder } from './order.ts';
import { useDeposit } from './use-deposit.ts';

// Only a slow creation shows them.
const FunFacts = lazyPart(async () => (await import('../fun-facts/fun-facts.tsx')).FunFacts);

// Few methods have a fee.
const DepositFee = lazyPart(async () => (await import('./deposit-fee.tsx')).DepositFee);

// Few users have a bonus.
const BonusChoice = lazyPart(async () => (await import('../bonus/bonus-choice.tsx')).BonusChoice);

interface DepositFormProps {
  readonly method: PaymentMethod;
  readonly group?: string | undefined;
  readonly variant?: DepositVariant | undefined;
  /** Shown between the method's head and the amount. */
  readonly children?: ReactNode;
  /** A line of text that says what follows after the press. */
  readonly note: string;
}

/** Amount, the method's own fields and the button that creates the deposit: the first screen of most flows. */
export function DepositForm({ method, group, variant, children, note }: DepositFormProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { navigation } = useServices();
  const { tree } = usePlace();
  const form = useRef<HTMLFormElement>(null);
  const amountInput = useRef<HTMLInputElement>(null);
  const bonus = useRef<BonusPress>(null);
  const order = useOrder();
  const amount = useAmount(method, group, order?.price);
  const deposit = useDeposit({
    method,
    variant,
    onInvalid: () => {
      amount.reveal();
      fields.reveal();
      focusFirstInvalid();
    },
    onRefusedAmount: (refusal) => {
      const isShown = order === undefined && amount.refuse(refusal);
      if (isShown) focusFirstInvalid();
      return isShown;
    },
    onRefusedFields: (names) => {
      const isShown = fields.refuse(names);
      if (isShown) focusFirstInvalid();
      return isShown;
    },
    onFault: (words) => press.say(words),
    onBonusEnded: () => bonus.current?.end(),
  });
  const asked = method.fields.filter(({ name }) => !deposit.extraFields.some((extra) => extra.name === name));
  const fields = useFields([...asked, ...deposit.extraFields], method);
  const focusFirstInvalid = useLeadToFault(form);
  const press = usePressFault(JSON.stringify([amount.canonical, fields.values]));
  const { currency } = amount;
  const feeRule = method.fees?.[currency];
  const written = writtenAmount(amount, texts);

  const { Outcome, link, depositId } = deposit;
  if (Outcome && (deposit.isBeingChecked || link)) {
    return (
      <Outcome {...{ link, method, currency, depositId }} amount={amount.canonical} onFollow={deposit.followLink} />
    );
  }
  return (
    <PageForm
      ref={form}
      onSubmit={() => {
        if (press.refuses()) return;
        const choice = bonus.current?.atTap();
        if (choice?.kind === 'ask-again') return;
        deposit.submit({
          amount: amount.canonical ?? '',
          fields: fields.values,
          isValid: amount.error === undefined && !amount.isClosed && amount.canonical !== undefined && fields.isValid,
          isFromChip: amount.isFromChip,
          paymentSessionId: amount.paymentSessionId,
          bonusId: choice?.kind === 'apply' ? choice.bonusId : undefined,
        });
      }}
    >
      <Page>
        <MethodHead method={method} guide={method.video_guide_url} />
        {method.tile !== undefined && (
          <Suspense fallback={<Skeleton blockSize="52px" radius="var(--radius-m)" />}>
            <TileChoices method={method} group={group} amount={amount.canonical} isDisabled={deposit.isBusy} />
          </Suspense>
        )}
        {children}
        {order?.summary ?? (
          <>
            <AmountForm amount={amount} inputRef={amountInput} isDisabled={deposit.isBusy || amount.isClosed} />
            {feeRule !== undefined && (
              <Suspense fallback={<Skeleton blockSize="102px" radius="var(--radius-m)" />}>
                <DepositFee rule={feeRule} amount={amount.canonical} currency={currency} />
              </Suspense>
            )}
            <BonusPlace>
              <BonusChoice ref={bonus} {...{ method, currency }} amount={amount.canonical} isBusy={deposit.isBusy} />
            </BonusPlace>
          </>
        )}
        <DynamicForm fields={fields} isDisabled={deposit.isBusy} />
        {deposit.isBusy && (
          <Suspense fallback={null}>
            <FunFacts />
          </Suspense>
        )}
      </Page>
      <PageFooter>
        {amount.isClosed && !amount.isWaiting ? (
          <Button look="secondary" onClick={() => navigation.go(tree, { replace: true })}>
            {translate('payment.methods')}
          </Button>
        ) : (
          <>
            <FaultAlert press={press} />
            <SubmitButton asked={[amount.submit, ...fields.states.map(({ submit }) => submit)]} isBusy={deposit.isBusy}>
              {written === undefined
                ? translate('depositForm.deposit')
                : translate(order ? 'depositForm.payAmount' : 'depositForm.depositAmount', { amount: written })}
            </SubmitButton>
            <PageNote>{deposit.isBusy ? (deposit.notice ?? translate('depositForm.creating')) : note}</PageNote>
          </>
        )}
      </PageFooter>
    </PageForm>
  );
}

/**
 * Shows the bonus if the user has one. A form that begins with a bonus waits for its code, so that no press misses the bonus. A
 * bonus that the host offers later appears below the amount, and the form stays.
 */
function BonusPlace({ children }: { readonly children: ReactNode }) {
  const { payload, currency } = useSession();
  const hasBonus = payload.bonusList.some((bonus) => bonus.currency === currency);
  const [beganWithBonus] = useState(hasBonus);
  // The place stays when the last bonus ends, because it then says so.
  const [isShown, setShown] = useState(hasBonus);
  if (hasBonus && !isShown) setShown(true);
  if (!isShown) return null;
  return beganWithBonus ? children : <Suspense fallback={null}>{children}</Suspense>;
}

/** The amount for the button; undefined while it is missing or wrong. */
function writtenAmount({ canonical, currency, error }: DepositAmount, { formatLocale }: Texts): string | undefined {
  if (canonical === undefined || error) return undefined;
  return formatWireAmount({ amount: canonical, currency }, formatLocale, { isolate: true });
}
