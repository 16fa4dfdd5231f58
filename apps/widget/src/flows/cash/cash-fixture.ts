/** The answer of a create with cash. */
import type { DepositData } from '@opencashier/contract/api';

export const data: DepositData = {
  details: [
    { name: 'Agent North', value: 'https://agents.example/1', type: 'agent' },
    { name: 'Agent Evil', value: 'javascript:alert(1)', type: 'agent' },
    { name: 'Reference', value: 'SBX1', type: 'text' },
  ],
  buttons: [],
};
