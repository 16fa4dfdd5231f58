import { safeLink } from '@opencashier/core/links/safe-link';
import { formatWireAmount } from '@opencashier/core/money/format';
import { useRef } from 'react';
import { AmountForm } from '../../kit/amount-form.tsx';
import { CheckingView } from '../../kit/checking-view.tsx';
import { DynamicForm } from '../../kit/dynamic-form.tsx';
import { MethodHead } from '../../kit/method-head.tsx';
import { findMethod, useMethodList } from '../../kit/method-list.ts';
import type { ScreenProps } from '../../kit/product.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { ProviderLink } from '../../kit/provider-link.tsx';
import { useTexts } from '../../kit/services.tsx';
import { useAmount } from '../../kit/use-amount.ts';
import { useDeposit } from '../../kit/use-deposit.ts';
import { useFields } from '../../kit/use-fields.ts';
import { Button } from '../../ui/button.tsx';
import { Page, PageFooter } from '../../ui/page.tsx';
import styles from './redirect-screen.module.css';

/** Amount, the method's own fields, and off to the provider's page (DEP-4). The guard has seen that the method exists. */
export function Screen({ params }: ScreenProps) {
  const { direction } = usePlace();
  const state = useMethodList(direction);
  const method = state.at === 'ready' ? findMethod(state.list, params['method']) : undefined;
  return method ? <RedirectForm method={method} group={params['group']} /> : null;
}

type Method = NonNullable<ReturnType<typeof findMethod>>;

function RedirectForm({ method, group }: { readonly method: Method; readonly group: string | undefined }) {
  const texts = useTexts();
  const { translate } = texts;
  const form = useRef<HTMLFormElement>(null);
  const amountInput = useRef<HTMLInputElement>(null);
  const amount = useAmount(method, group);
  const deposit = useDeposit({
    method,
    onInvalid: () => {
      amount.reveal();
      fields.reveal();
      focusFirstInvalid();
    },
    onRefusedFields: (names) => fields.refuse(names),
  });
  const asked = method.fields.filter(({ name }) => !deposit.extraFields.some((extra) => extra.name === name));
  const fields = useFields([...asked, ...deposit.extraFields], method.name);
  const focusFirstInvalid = () => {
    // The errors are drawn first: what they belong to is then marked as invalid in the page.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const { currency } = amount;
  const written =
    amount.canonical === undefined || amount.error
      ? undefined
      : formatWireAmount({ amount: amount.canonical, currency }, texts.formatLocale, { isolate: true });

  if (deposit.isBeingChecked) {
    return (
      <Page>
        <div role="status">
          <CheckingView />
        </div>
      </Page>
    );
  }
  if (deposit.link) return <ProviderLink target={deposit.link} onFollow={deposit.followLink} />;
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        deposit.submit({
          amount: amount.canonical ?? '',
          fields: fields.values,
          isValid: amount.error === undefined && amount.canonical !== undefined && fields.isValid,
          isFromChip: amount.isFromChip,
          paymentSessionId: amount.paymentSessionId,
        });
      }}
    >
      <Page>
        <MethodHead method={method} guide={safeLink(method.video_guide_url)} />
        <AmountForm amount={amount} inputRef={amountInput} isDisabled={deposit.isBusy} />
        <DynamicForm fields={fields} isDisabled={deposit.isBusy} />
      </Page>
      <PageFooter>
        <Button type="submit" isBusy={deposit.isBusy}>
          {written === undefined
            ? translate('redirect.deposit')
            : translate('redirect.depositAmount', { amount: written })}
        </Button>
        <p className={styles.note} role="status">
          {translate(deposit.isBusy ? 'redirect.creating' : 'redirect.note')}
        </p>
      </PageFooter>
    </form>
  );
}
