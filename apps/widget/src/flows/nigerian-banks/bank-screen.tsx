import type { PaymentMethod } from '@opencashier/contract/api';
import { searchDropdown } from '@opencashier/core/fields/dropdown-search';
import { useEffect, useState } from 'react';
import { MethodHead } from '../../kit/method/method-head.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { SearchInput } from '../../ui/inputs/search-input.tsx';
import { OptionList } from '../../ui/lists/option-list.tsx';
import { Card } from '../../ui/page/card.tsx';
import { Page, Section } from '../../ui/page/page.tsx';
import { accountPath, banksOf } from './model.ts';
import styles from './nigerian-banks.module.css';

/** The choice of the bank. The guard has checked that the method exists. A method without banks continues with its own form. */
export function Screen({ params, query }: ScreenProps) {
  const { navigation } = useServices();
  const { tree, product } = usePlace();
  const method = useMethod(params['method']);
  const elsewhere = method && banksOf(method).length === 0 ? product.methodPath(tree, method) : undefined;
  useEffect(() => {
    if (elsewhere !== undefined) navigation.go(elsewhere, { replace: true });
  }, [navigation, elsewhere]);
  return method && elsewhere === undefined ? <Banks method={method} chosen={query.get('bank') ?? ''} /> : null;
}

function Banks({ method, chosen }: { readonly method: PaymentMethod; readonly chosen: string }) {
  const texts = useTexts();
  const { translate } = texts;
  const { navigation } = useServices();
  const { tree } = usePlace();
  const [search, setSearch] = useState('');
  const found = searchDropdown(banksOf(method), search);
  const choose = (bank: string) => navigation.go(accountPath(tree, method.name, bank));
  const [only] = found.length === 1 ? found : [];
  return (
    <Page>
      <MethodHead method={method} guide={undefined} />
      <Section title={translate('nigerianBanks.choose')}>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              // Enter chooses the only bank left in the list.
              if (only) choose(only.value);
            }}
          >
            <SearchInput
              label={translate('nigerianBanks.search')}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </form>
        </search>
        <p className={styles.found} role="status">
          {search.trim() !== '' &&
            (found.length === 0
              ? translate('nigerianBanks.none', { query: search.trim() })
              : translate('nigerianBanks.found', { count: found.length }))}
        </p>
        {found.length > 0 && (
          <Card>
            <OptionList label={translate('nigerianBanks.banks')} options={found} chosen={chosen} onChoose={choose} />
          </Card>
        )}
      </Section>
    </Page>
  );
}
