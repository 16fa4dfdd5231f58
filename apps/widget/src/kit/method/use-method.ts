import type { PaymentMethod } from '@opencashier/contract/api';
import { usePlace } from '../session/product-context.tsx';
import { findMethod, useMethodList } from './method-list.ts';

/** The method of an address. Undefined only until the catalogue is loaded, because the guard has checked that it has the method. */
export function useMethod(name: string | undefined): PaymentMethod | undefined {
  const { direction } = usePlace();
  const state = useMethodList(direction);
  return state.at === 'ready' ? findMethod(state.list, name) : undefined;
}
