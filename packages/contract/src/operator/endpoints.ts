/** Every endpoint of the operator API, by the folder of the server that handles it. */
import {
  approveWithdrawal,
  declineWithdrawal,
  listAwaitingWithdrawals,
  putApprovalSettings,
  readApprovalSettings,
} from './approvals.ts';
import {
  bringBackDismissedStep,
  endSetAsideSteps,
  listBankMessages,
  listDismissedSteps,
  listSetAsideSteps,
} from './bank-messages.ts';
import { readBonusEngine } from './bonus-engine.ts';
import { listBonusChanges, putBonusSettings, readBonusSettings } from './bonuses.ts';
import {
  listCatalogueChanges,
  previewCatalogue,
  putCatalogue,
  putGroupSettings,
  putMethodSettings,
  readCatalogue,
  rollbackCatalogue,
} from './catalogue.ts';
import { giveSignedPayouts, takeUnsignedPayouts } from './coin-payouts.ts';
import { grantCoins, listBoxes, putBox, reportPlay } from './coins.ts';
import {
  createConnection,
  listConnections,
  readConnection,
  rotateConnection,
  testConnection,
  updateConnection,
} from './connections.ts';
import { decideDayClose, listDayCloseKeys, listDayCloses, proposeDayClose, readDayClose } from './day-closes.ts';
import {
  claimDebt,
  listDebts,
  listFrozenAccounts,
  putDebtSettings,
  readDebtSettings,
  releaseAccount,
  settleDebt,
} from './debts.ts';
import { listDeliveries, replayDelivery } from './deliveries.ts';
import { findPayments, findPaymentsByDestination } from './payments.ts';
import {
  decidePayoutTransfer,
  downloadPayoutFile,
  handOverPayoutFile,
  importBankMessage,
  listPayoutFiles,
  listPayoutTransfers,
  playPayoutFile,
} from './payout-files.ts';
import { readPlayerFunds } from './player-funds.ts';
import { dismissParkedReport, listParkedReports, listReversals, listUnmatchedReports } from './reports.ts';
import { listReviews, resolveReview } from './reviews.ts';
import {
  listRouteChanges,
  listRoutes,
  previewRoutes,
  putRoutes,
  readRouteHealth,
  readRoutingDecision,
} from './routes.ts';
import { advanceSandboxClock, readSandboxClock, resetSandboxClock } from './sandbox-clock.ts';
import { listenForWebhooks } from './sandbox-webhooks.ts';
import { listApiKeys, listSettingChanges, patchOperatorSettings, readOperatorSettings } from './settings.ts';
import { decideSettlementBooking, listSettlementBookings, resolveMismatch } from './settlement-bookings.ts';
import { decideTakeBack, proposeTakeBack } from './settlement-take-backs.ts';
import {
  importSettlementFile,
  listMismatches,
  listSettlementFiles,
  listSettlementMappings,
  putSettlementMapping,
  readProviderList,
} from './settlements.ts';
import { listTextChanges, putTexts, readTexts } from './texts.ts';
import { readTransaction } from './transaction.ts';
import { listTransactions, refundDeposit } from './transactions.ts';
import { addUserNote, patchUser, readUser } from './user-controls.ts';
import { createUserToken, readBalances, readBonuses, transfer } from './users.ts';
import { listWalletCalls } from './wallet-calls.ts';

export const operatorEndpoints = {
  users: { createUserToken, readBalances, transfer, readBonuses, readUser, patchUser, addUserNote },
  settings: { readOperatorSettings, patchOperatorSettings, listApiKeys, listSettingChanges },
  coins: { grantCoins, reportPlay, listBoxes, putBox },
  catalogue: {
    readCatalogue,
    putCatalogue,
    putMethodSettings,
    putGroupSettings,
    previewCatalogue,
    rollbackCatalogue,
    listCatalogueChanges,
  },
  bonuses: { readBonusSettings, putBonusSettings, listBonusChanges, readBonusEngine },
  texts: { readTexts, putTexts, listTextChanges },
  lookup: { listTransactions, readTransaction, findPayments, findPaymentsByDestination, listUnmatchedReports },
  deliveries: { listDeliveries, replayDelivery },
  wallet: { listWalletCalls },
  connections: {
    listConnections,
    createConnection,
    readConnection,
    updateConnection,
    rotateConnection,
    testConnection,
  },
  routes: { listRoutes, putRoutes, previewRoutes, listRouteChanges, readRouteHealth, readRoutingDecision },
  settlements: {
    listSettlementMappings,
    putSettlementMapping,
    importSettlementFile,
    listSettlementFiles,
    proposeTakeBack,
    decideTakeBack,
    listMismatches,
    resolveMismatch,
    listSettlementBookings,
    decideSettlementBooking,
    readPlayerFunds,
  },
  settlementLists: { readProviderList },
  dayCloses: { proposeDayClose, decideDayClose, listDayCloses, readDayClose, listDayCloseKeys },
  payoutFiles: {
    listPayoutFiles,
    downloadPayoutFile,
    handOverPayoutFile,
    listPayoutTransfers,
    decidePayoutTransfer,
    importBankMessage,
    listBankMessages,
    listSetAsideSteps,
    endSetAsideSteps,
    listDismissedSteps,
    bringBackDismissedStep,
  },
  /** These exist where a wallet is signed by file. */
  coinPayouts: { takeUnsignedPayouts, giveSignedPayouts },
  /** This exists in the sandbox alone. */
  sandboxBank: { playPayoutFile },
  /** These exist in the sandbox alone. */
  sandbox: { listenForWebhooks },
  /** These exist in a sandbox without real providers. */
  sandboxClock: { readSandboxClock, advanceSandboxClock, resetSandboxClock },
  money: {
    refundDeposit,
    listReviews,
    resolveReview,
    listParkedReports,
    dismissParkedReport,
    listReversals,
    listAwaitingWithdrawals,
    approveWithdrawal,
    declineWithdrawal,
    readApprovalSettings,
    putApprovalSettings,
    listFrozenAccounts,
    releaseAccount,
    listDebts,
    settleDebt,
    claimDebt,
    readDebtSettings,
    putDebtSettings,
  },
} as const;
