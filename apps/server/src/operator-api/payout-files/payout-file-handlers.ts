/** Handlers of payouts that leave in files for a bank, and of the bank's answers (WD-2). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import { applyBankMessage } from '../../payout-files/apply-bank-message.ts';
import { bringBack } from '../../payout-files/dismissed-steps.ts';
import { downloadFile, handOver } from '../../payout-files/hand-over.ts';
import { dismissedPage, messagePage, setAsidePage } from '../../payout-files/message-page.ts';
import { filePage, transferPage } from '../../payout-files/payout-file-page.ts';
import type { PayoutFilePorts } from '../../payout-files/payout-file-ports.ts';
import { playFile } from '../../payout-files/sandbox-bank.ts';
import { endSetAside } from '../../payout-files/set-aside-steps.ts';
import { decideTransfer } from '../../payout-files/stopped-transfers.ts';
import type { Handlers } from '../register-endpoint.ts';

export function payoutFileHandlers(ports: PayoutFilePorts): Handlers<typeof operatorEndpoints.payoutFiles> {
  const { database } = ports;
  return {
    listPayoutFiles: ({ operatorId, query }) => filePage(database, operatorId, query),
    downloadPayoutFile: ({ operatorId, keyId, params: { fileId }, body: { staff: by } }) =>
      downloadFile(ports, operatorId, fileId, { by, keyId }),
    handOverPayoutFile: ({ operatorId, keyId, params: { fileId }, body: { staff: by } }) =>
      handOver(ports, operatorId, fileId, { by, keyId }),
    listPayoutTransfers: ({ operatorId, query }) => transferPage(database, operatorId, query),
    async decidePayoutTransfer({ operatorId, keyId, params: { withdrawalId }, body: { decision, staff: by } }) {
      return { state: await decideTransfer(ports, operatorId, withdrawalId, { decision, by, keyId }) };
    },
    async importBankMessage({ operatorId, keyId, body: { name, content, staff: by } }) {
      const bytes = Buffer.from(content, 'base64');
      return applyBankMessage(ports, { operatorId, by, keyId, name, bytes });
    },
    listBankMessages: ({ operatorId, query }) => messagePage(database, operatorId, query),
    listSetAsideSteps: ({ operatorId, query }) => setAsidePage(database, operatorId, query),
    async endSetAsideSteps({ operatorId, keyId, params: { withdrawalId }, body }) {
      const { decision, messageId, reason: note, staff: by } = body;
      return { ended: await endSetAside(ports, operatorId, withdrawalId, { decision, messageId, note, by, keyId }) };
    },
    listDismissedSteps: ({ operatorId, query }) => dismissedPage(database, operatorId, query),
    async bringBackDismissedStep({ operatorId, keyId, params: { withdrawalId }, body }) {
      const { messageId, step, reason: note, staff: by } = body;
      return { setAside: await bringBack(ports, operatorId, withdrawalId, { messageId, step, note, by, keyId }) };
    },
  };
}

export function sandboxBankHandlers(ports: PayoutFilePorts): Handlers<typeof operatorEndpoints.sandboxBank> {
  return {
    async playPayoutFile({ operatorId, params: { fileId } }) {
      return { messages: await playFile(ports, operatorId, fileId) };
    },
  };
}
