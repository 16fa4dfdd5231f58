// breaks: embed-is-tiny
import type { Deposit } from '@opencashier/contract/api';
import type { Message } from '@opencashier/contract/host';
export type X = Deposit | Message;
