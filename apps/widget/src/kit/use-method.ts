import type { PaymentMethod } from '@opencashier/contract/api';
import { findMethod, useMethodList } from './method-list.ts';
import { usePlace } from './product-context.tsx';

/** The method of an address; undefined only until the catalogue is there, since the guard has seen that it knows the method. */
export function useMethod(name: string | undefined): PaymentMethod | undefined {
  const { direction } = usePlace();
  const state = useMethodList(direction);
  return state.at === 'ready' ? findMethod(state.list, name) : undefined;
}
