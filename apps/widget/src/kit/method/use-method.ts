import type { PaymentMethod } from '@opencashier/contract/api';
import { usePlace } from '../session/product-context.tsx';
import { findMethod, useMethodList } from './method-list.ts';

/** The method of an address; undefined only until the catalogue is there, since the guard has seen that it knows the method. */
export function useMethod(name: string | undefined): PaymentMethod | undefined {
  const { direction } = usePlace();
  const state = useMethodList(direction);
  return state.at === 'ready' ? findMethod(state.list, name) : undefined;
}
