import { Card } from '../../ui/page/card.tsx';
import { CopyButton } from '../copy/copy-button.tsx';
import type { PaymentRow } from './payment-requisites.ts';
import styles from './requisites.module.css';

/** The requisites, one per row (DEP-5). Numbers and accounts are left to right in every language. */
export function Requisites({ rows }: { readonly rows: readonly PaymentRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Card>
      <dl className={styles.rows}>
        {rows.map(({ id, title, shown, copied, isCopyable }) => (
          <div key={id} className={styles.row}>
            <dt className={styles.title}>{title}</dt>
            <dd className={styles.value}>
              <bdi dir={isNumber(shown) ? 'ltr' : 'auto'}>{shown}</bdi>
            </dd>
            {isCopyable && (
              <dd className={styles.action}>
                <CopyButton value={copied} name={title} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Whether a text has no letters, or has Latin letters and digits, as an IBAN. */
const isNumber = (text: string) => !/\p{L}/u.test(text) || /^[A-Za-z0-9 @._+/-]*\d[A-Za-z0-9 @._+/-]*$/.test(text);
