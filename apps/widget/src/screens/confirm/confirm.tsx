import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useRef } from 'react';
import { findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { draftOf } from '../../kit/session/drafts.ts';
import { OfflineAlert, useOfflinePress } from '../../kit/session/offline-press.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { CheckingPage } from '../../kit/status/checking-view.tsx';
import { useConfirmation } from '../../kit/withdrawal/use-confirmation.ts';
import { useConfirmationCode } from '../../kit/withdrawal/use-confirmation-code.ts';
import { useHoldTimer } from '../../kit/withdrawal/use-hold-timer.ts';
import { withdrawalDraft } from '../../kit/withdrawal/use-withdrawal-amount.ts';
import { useWithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';
import { WithdrawalFacts } from '../../kit/withdrawal/withdrawal-facts.tsx';
import { completePath } from '../../kit/withdrawal/withdrawal-paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter, PageForm, PageNote } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import { CodeField } from './code-field.tsx';
import styles from './confirm.module.css';
import { HeldWithdrawal } from './held-withdrawal.tsx';

/**
 * The whole withdrawal before it is final: amount, fee, what arrives, and where (WD-2). The values come from the server, not from
 * the form.
 */
export function Screen({ query, state }: ScreenProps) {
  const { navigation } = useServices();
  const { tree } = usePlace();
  const withdrawalId = query.get('withdrawalId') ?? undefined;
  useEffect(() => {
    if (withdrawalId === undefined) navigation.go(tree, { replace: true });
  }, [withdrawalId, navigation, tree]);
  if (withdrawalId === undefined) return null;
  return <Confirm key={withdrawalId} withdrawalId={withdrawalId} isFromForm={isFromForm(state)} />;
}

/** Whether the form is the previous entry of the history. */
const isFromForm = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'from') === 'form';

function Confirm({ withdrawalId, isFromForm }: { readonly withdrawalId: string; readonly isFromForm: boolean }) {
  const { translate } = useTexts();
  const services = useServices();
  const { navigation, queries } = services;
  const { product, direction, tree } = usePlace();
  const catalogue = useMethodList(direction);
  const { report, isNotFound, isOffline, askNow } = useWithdrawalReport(withdrawalId);
  const method = catalogue.at === 'ready' ? findMethod(catalogue.list, report?.paymentMethod) : undefined;
  const code = useConfirmationCode(withdrawalId, report?.confirmation);
  const codeInput = useRef<HTMLInputElement>(null);
  const timer = useHoldTimer(report);
  const confirmation = useConfirmation({
    withdrawalId,
    onRefusedCode(refusal, params) {
      code?.refuse(refusal, params);
      codeInput.current?.focus();
      askNow();
    },
    onReleased() {
      // After a reload the form has lost the typed values. At least the amount is known.
      if (report && method) draftOf(services, withdrawalDraft(method), report.currency).amount ??= report.amount;
      void queries.invalidateQueries({ queryKey: ['methods'] });
      if (isFromForm) navigation.back(tree);
      else navigation.go(method ? product.methodPath(tree, method) : tree, { replace: true });
    },
  });
  const { busy } = confirmation;
  const offlinePress = useOfflinePress();
  const isOver = report !== undefined && statusOfCode(report.status) !== 'waiting' && busy === undefined;
  useEffect(() => {
    if (isOver) navigation.go(completePath(tree, withdrawalId), { replace: true });
  }, [isOver, navigation, tree, withdrawalId]);
  const isExpired = timer?.expired === true;
  useEffect(() => {
    if (isExpired) askNow();
  }, [isExpired, askNow]);

  if (isNotFound && report === undefined) {
    return (
      <Page>
        <StateView
          icon="alert"
          tone="warn"
          title={translate('confirm.none.title')}
          text={translate('confirm.none.text')}
        >
          <Button onClick={() => navigation.go(tree, { replace: true })}>{translate('confirm.none.methods')}</Button>
        </StateView>
      </Page>
    );
  }
  if (confirmation.isBeingChecked) {
    const details = report && <WithdrawalFacts {...report} method={method} />;
    return <CheckingPage words="withdrawal.checking" details={details} />;
  }
  if (report === undefined || isOver) return <Waiting isOffline={isOffline} />;
  return (
    <PageForm
      onSubmit={() => {
        if (isExpired || offlinePress.refuses()) return;
        if (code && !code.isComplete) {
          code.reveal();
          codeInput.current?.focus();
        } else confirmation.confirm(code?.typed);
      }}
    >
      <Page>
        <HeldWithdrawal report={report} method={method} timer={timer} />
        {code && <CodeField code={code} inputRef={codeInput} isDisabled={busy !== undefined || isExpired} />}
        {isExpired && <Notice tone="warn">{translate('confirm.expired')}</Notice>}
      </Page>
      <PageFooter>
        <OfflineAlert press={offlinePress} />
        <Button type="submit" isBusy={busy === 'confirm'} aria-disabled={busy !== undefined || isExpired}>
          {translate('confirm.confirm')}
        </Button>
        <Button
          look="ghost"
          isBusy={busy === 'cancel'}
          aria-disabled={busy !== undefined}
          onClick={() => busy === undefined && !offlinePress.refuses() && confirmation.change()}
        >
          {translate('confirm.change')}
        </Button>
        <PageNote>
          {(busy !== undefined || !isExpired) &&
            translate(busy === undefined ? 'confirm.note' : `confirm.busy.${busy}`)}
        </PageNote>
      </PageFooter>
    </PageForm>
  );
}

function Waiting({ isOffline }: { readonly isOffline: boolean }) {
  const { translate } = useTexts();
  return (
    <Page>
      <Skeleton inlineSize="60%" blockSize="58px" />
      <Skeleton blockSize="212px" radius="var(--radius-l)" />
      <div role="status">
        <VisuallyHidden>{translate('confirm.loading')}</VisuallyHidden>
        {isOffline && <p className={styles.offline}>{translate('confirm.offline')}</p>}
      </div>
    </Page>
  );
}
