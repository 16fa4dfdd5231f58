/** The banks of a method, and their paths. The server lists the banks as the items of one field. */
import type { DropdownItem, FormField, PaymentMethod } from '@opencashier/contract/api';
import { itemsOf } from '../../kit/form/form-values.ts';

/** The field for the code of the account's bank; undefined for a method of another flow. */
export function bankField({ fields }: Pick<PaymentMethod, 'fields'>): FormField | undefined {
  return fields.find(({ category }) => category === 'bank');
}

export function banksOf(method: Pick<PaymentMethod, 'fields'>): readonly DropdownItem[] {
  const field = bankField(method);
  return field === undefined ? [] : itemsOf(field);
}

/** The method for its form: the bank's field is hidden and has the chosen value. */
export function withBank(method: PaymentMethod, bank: string): PaymentMethod {
  const field = bankField(method);
  const fields = method.fields.map((one) =>
    one === field ? { ...one, props: { ...one.props, isHidden: true, value: bank } } : one,
  );
  return { ...method, fields };
}

export function bankListPath(tree: string, method: string, bank?: string): string {
  const query = bank === undefined ? '' : `?${new URLSearchParams({ bank })}`;
  return `${tree}/nigerian-banks/${encodeURIComponent(method)}${query}`;
}

export function accountPath(tree: string, method: string, bank: string): string {
  return `${tree}/nigerian-banks/${encodeURIComponent(method)}/account?${new URLSearchParams({ bank })}`;
}
