/** Checks that a wallet's address belongs to the chosen network. Coins sent to a wrong address are lost forever. */
import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import type { FieldCheck } from '../form/field-state.ts';
import { useTexts } from '../session/services.tsx';

type AddressCheck = typeof import('@opencashier/core/crypto/address-check');

const isWallet = ({ name }: Pick<FormField, 'name'>): boolean => name === 'wallet';

/**
 * The check of the method's wallet field. Its message names the network of the address. Undefined for a method without a wallet,
 * and until the rules are loaded. The server checks by the same rules.
 */
export function useWalletCheck({ category, fields, network }: PaymentMethod): FieldCheck | undefined {
  const { translate } = useTexts();
  const isNeeded = category === 'crypto' && fields.some(isWallet);
  const [rules, setRules] = useState<AddressCheck>();
  useEffect(() => {
    if (!isNeeded) return;
    let isGone = false;
    import('@opencashier/core/crypto/address-check').then(
      (loaded) => {
        if (!isGone) setRules(loaded);
      },
      (error: unknown) => console.warn('The check of addresses could not be loaded; the server checks them.', error),
    );
    return () => {
      isGone = true;
    };
  }, [isNeeded]);
  if (!isNeeded || rules === undefined) return undefined;
  return (field, address, values) => {
    const name = values['network'] || network;
    if (!isWallet(field) || name === undefined || rules.checkedNetwork(name) === undefined) return undefined;
    const error = rules.checkAddress(address, name);
    return error && translate(error.key, { ...error.params });
  };
}
