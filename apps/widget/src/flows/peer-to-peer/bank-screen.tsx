import { useEffect, useState } from 'react';
import { itemsOf } from '../../kit/form/form-values.ts';
import { MethodHead } from '../../kit/method/method-head.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { TextInput } from '../../ui/inputs/text-input.tsx';
import { OptionList } from '../../ui/lists/option-list.tsx';
import { Page } from '../../ui/page/page.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import { bankField } from './create.ts';

/** A list with at least this many banks has a search box (§9). */
const searchableFrom = 6;

/** The choice of the payer's bank. A method without banks continues with the amount. */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  const [search, setSearch] = useState('');
  const field = method && bankField(method.fields);
  const banks = field ? itemsOf(field) : [];
  const base = method && `${tree}/peer-to-peer/${encodeURIComponent(method.name)}/base`;
  const skipsTo = banks.length === 0 ? base : undefined;
  useEffect(() => {
    if (skipsTo !== undefined) navigation.go(skipsTo, { replace: true });
  }, [navigation, skipsTo]);
  if (!method || base === undefined || skipsTo !== undefined) return null;
  const wanted = search.trim().toLocaleLowerCase();
  const found = banks.filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
  return (
    <Page>
      <MethodHead method={method} guide={undefined} />
      {banks.length >= searchableFrom && (
        <TextInput
          type="search"
          aria-label={translate('p2p.searchBank')}
          placeholder={translate('p2p.searchBank')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <OptionList
        label={translate('p2p.bank')}
        options={found}
        chosen={query.get('bank') ?? ''}
        onChoose={(bank) => navigation.go(`${base}?${new URLSearchParams({ bank })}`)}
      />
      <VisuallyHidden>
        <span role="status">{wanted !== '' && found.length === 0 ? translate('p2p.noBank') : ''}</span>
      </VisuallyHidden>
      {found.length === 0 && <p aria-hidden="true">{translate('p2p.noBank')}</p>}
    </Page>
  );
}
