// breaks: provider-kit-is-alone
import type { Deposit } from '@opencashier/contract/api';
export type X = Deposit;
