// breaks: server-sdk-is-alone
import type { Deposit } from '@opencashier/contract/api';
export type X = Deposit;
