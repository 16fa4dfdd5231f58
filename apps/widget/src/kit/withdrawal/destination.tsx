import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { countryOfPhone } from '@opencashier/core/fields/phone';
import { inFours } from '@opencashier/core/withdrawal/destination';
import { Marks } from '../../ui/marks/mark.tsx';
import { Card } from '../../ui/page/card.tsx';
import { itemsOf, labelOf } from '../form/form-values.ts';
import { methodTitle } from '../method/method-text.ts';
import styles from '../payment/requisites.module.css';
import { useTexts } from '../session/services.tsx';
import type { WithdrawalReport } from './use-withdrawal-report.ts';

/**
 * Where the money goes and how soon: the method, then every value in the order of its form (WD-2). Numbers and addresses are in
 * groups of four, because users compare them. The server decides what is masked.
 */
export function Destination({
  report,
  method,
  isExpected,
}: {
  readonly report: Pick<WithdrawalReport, 'destination'>;
  readonly method: PaymentMethod | undefined;
  /** The money has not arrived yet, so the time of arrival is shown. */
  readonly isExpected: boolean;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const arrival = isExpected ? texts.pick(method?.description) : '';
  return (
    <Card>
      <dl className={styles.rows} data-dense>
        {method && (
          <div className={styles.row} data-method>
            <dt className={styles.title}>{translate('confirm.method')}</dt>
            <dd className={styles.value}>
              <bdi>{methodTitle(method, texts)}</bdi>
            </dd>
            <dd className={styles.action}>
              <Marks iconIds={method.iconIds} most={1} />
            </dd>
          </div>
        )}
        {(report.destination ?? []).map(({ name, value }) => {
          const field = method?.fields.find((candidate) => candidate.name === name);
          const shown = shownValue(value, field);
          return (
            <div key={name} className={styles.row}>
              <dt className={styles.title}>{field ? labelOf(field, texts) : unaskedLabel(name, texts)}</dt>
              <dd className={styles.value}>
                <bdi dir={/\d/.test(shown) ? 'ltr' : 'auto'}>{shown}</bdi>
              </dd>
            </div>
          );
        })}
        {arrival !== '' && (
          <div className={styles.row}>
            <dt className={styles.title}>{translate('withdrawal.arrival')}</dt>
            <dd className={styles.value}>{arrival}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** A value of the form as text: a choice by its text, a phone after its prefix, anything else in groups of four. */
export function shownValue(value: string, field: FormField | undefined): string {
  const chosen = field && itemsOf(field).find((item) => item.value === value)?.text;
  if (chosen !== undefined) return chosen;
  const prefix = countryOfPhone(value, field?.countries ?? [])?.prefix;
  return prefix === undefined ? inFours(value) : `${prefix} ${inFours(value.slice(prefix.length))}`;
}

/** The label of a field that the form no longer has: the translated name of the field, if there is one. */
function unaskedLabel(name: string, { has, translate }: ReturnType<typeof useTexts>): string {
  const key = `field.name.${name}`;
  return has(key) ? translate(key) : name;
}
