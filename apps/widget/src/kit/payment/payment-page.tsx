import { safeLink } from '@opencashier/core/links/safe-link';
import { type ReactNode, useRef } from 'react';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Card, Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { ExactAmount } from '../amount/exact-amount.tsx';
import { CancelQuestion } from '../deposit/cancel-deposit.tsx';
import { DynamicForm } from '../form/dynamic-form.tsx';
import { useFields } from '../form/use-fields.ts';
import { useLeadToFault } from '../form/use-lead-to-fault.ts';
import { linkPolicyOf } from '../link/link-policy.ts';
import { linkOut } from '../link/way-out.ts';
import { QrPayment } from '../qr/qr-payment.tsx';
import { completePath, usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { Instruction } from './instruction.tsx';
import { PaidButton } from './paid-button.tsx';
import type { Payment } from './payment-gate.tsx';
import styles from './payment-page.module.css';
import { offersPaid, type PaymentRow, qrSource } from './payment-requisites.ts';
import { Requisites } from './requisites.tsx';

interface PaymentPageProps {
  readonly payment: Payment;
  readonly rows?: readonly PaymentRow[];
  /** The text under the QR code, to be copied instead of scanned. */
  readonly twin?: { readonly name: string; readonly value: string; readonly copyLabel?: string } | undefined;
  /** The unchecked link to the provider's page or app for this payment, and its label. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** The code is the main way to pay, so it comes before the rows. */
  readonly isCodeFirst?: boolean;
  /** The label of the amount and the warning, where the payment is no transfer. */
  readonly words?: { readonly amount: string; readonly warning: string } | undefined;
  /** Shown right under the amount. */
  readonly head?: ReactNode;
  /** A text that says what scanning the code does. */
  readonly codeNote?: string | undefined;
  readonly children?: ReactNode;
}

/**
 * The page of a manual payment (DEP-5, DEP-6): the exact amount, the time left, the payee, the code, the instruction and "I have
 * paid". After the end of the time, codes, links and "I have paid" disappear. The details stay for a payer who has already paid
 * and compares.
 */
export function PaymentPage({
  payment,
  rows = [],
  twin,
  link,
  isCodeFirst = false,
  head,
  codeNote,
  words,
  children,
}: PaymentPageProps) {
  const { method, depositId, data, amount, timer, isExpired, cancel } = payment;
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const form = useRef<HTMLDivElement>(null);
  // The draft belongs to this deposit alone, because the next deposit by the same method is another payment.
  const fields = useFields(isExpired ? [] : (data.inputFields ?? []), method, depositId);
  const qr = qrSource(data);
  const href = safeLink(link?.href, linkPolicyOf(method));
  const leadToFault = useLeadToFault(form);
  const showMissing = () => {
    fields.reveal();
    leadToFault();
  };
  const code = qr && !isExpired && (
    <Card>
      <QrPayment source={qr} twin={twin} note={codeNote} />
    </Card>
  );
  const hasLink = href !== undefined && !isExpired;
  return (
    <>
      <Page>
        {amount && (
          <ExactAmount
            {...amount}
            timer={timer}
            label={words?.amount ?? translate(isCodeFirst ? 'payment.payExactly' : 'payment.exactly')}
          />
        )}
        {isExpired && (
          <div role="status">
            <Notice tone="bad">{translate('payment.expired')}</Notice>
          </div>
        )}
        {head}
        {isCodeFirst && code}
        <Requisites rows={rows} />
        {!isCodeFirst && code}
        {!isExpired && <Instruction instruction={data.instruction} />}
        {children}
        {fields.states.length > 0 && (
          <div ref={form} className={styles.fields}>
            <DynamicForm fields={fields} />
          </div>
        )}
        {!isExpired && <Notice tone="warn">{words?.warning ?? translate('payment.warning')}</Notice>}
      </Page>
      <PageFooter>
        {hasLink && (
          <ButtonLink href={href} {...linkOut(href)}>
            {link?.label}
            <Icon name="external" size={20} />
          </ButtonLink>
        )}
        {!isExpired && offersPaid(data) && (
          <PaidButton
            depositId={depositId}
            method={method.name}
            look={hasLink ? 'secondary' : 'primary'}
            fields={fields.values}
            onRefused={(names) => {
              fields.refuse(names);
              leadToFault();
            }}
            onMissing={fields.isValid ? undefined : showMissing}
          />
        )}
        {isExpired ? (
          <Button onClick={() => navigation.go(completePath(tree, depositId, method.name), { replace: true })}>
            {translate('payment.status')}
          </Button>
        ) : (
          <CancelQuestion {...cancel} />
        )}
      </PageFooter>
    </>
  );
}
