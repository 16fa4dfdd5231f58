/** The gauges that need the database (SRV-9). A snapshot takes their numbers. */

/** The gauges, each with its labels. */
export const GAUGES = {
  cashier_deposits_of_unknown_outcome: {
    help: 'Deposits whose create call ended without a clear answer and that are still being checked.',
    labelNames: ['provider'],
  },
  cashier_oldest_deposit_of_unknown_outcome_seconds: {
    help: 'Age of the oldest deposit of unknown outcome.',
    labelNames: ['provider'],
  },
  cashier_withdrawals_open: { help: 'Withdrawals that have not ended, by state.', labelNames: ['state'] },
  cashier_oldest_open_withdrawal_seconds: {
    help: 'Age of the oldest withdrawal that has not ended, by state.',
    labelNames: ['state'],
  },
  cashier_late_payouts: {
    help: 'Withdrawals that were paid out after their amount had been returned. Staff must decide.',
    labelNames: [],
  },
  cashier_payout_transfers_stopped: {
    help: 'Transfers of payout files that a bank rejected for no fault of the payee. Staff must decide.',
    labelNames: [],
  },
  cashier_oldest_stopped_payout_transfer_seconds: {
    help: 'Time since the longest stopped transfer was stopped.',
    labelNames: [],
  },
  cashier_payout_files_open: {
    help: 'Payout files with transfers that have no end. Why: not handed over to the bank, or handed over without an answer of the bank.',
    labelNames: ['why'],
  },
  cashier_oldest_payout_file_seconds: {
    help: 'Time since the oldest payout file was built (not-handed-over) or handed over (no-answer).',
    labelNames: ['why'],
  },
  cashier_bank_messages_unfinished: {
    help: 'Messages of banks that are being read: some of their steps are not applied yet.',
    labelNames: [],
  },
  cashier_oldest_unfinished_bank_message_seconds: {
    help: 'Age of the oldest message of a bank that is being read.',
    labelNames: [],
  },
  cashier_bank_steps_set_aside: {
    help: 'Steps of bank messages that the database refused and that were set aside. Staff must end them.',
    labelNames: [],
  },
  cashier_oldest_set_aside_bank_step_seconds: {
    help: 'Time since the oldest step of a bank message that staff have not ended was set aside.',
    labelNames: [],
  },
  cashier_card_payouts_short: {
    help: 'Payouts to cards of which a part was refused, while the card has no other payment for it.',
    labelNames: [],
  },
  cashier_oldest_short_card_payout_seconds: {
    help: 'Time since the last refusal of the payout to a card that waits longest for another payment.',
    labelNames: [],
  },
  cashier_coin_payouts_open: {
    help: 'Payouts of coins that have not ended. Why: on the way, waiting for a limit or the balance, stuck in no block, nodes that do not fit, or checked by staff.',
    labelNames: ['why'],
  },
  cashier_oldest_coin_payout_seconds: {
    help: 'Age of the oldest payout of coins that has not ended.',
    labelNames: ['why'],
  },
  cashier_coin_payout_fees_unbooked: {
    help: 'Payouts of coins that have ended, and whose network fee is not in the ledger.',
    labelNames: ['chain'],
  },
  cashier_signer_silent_seconds: {
    help: 'Seconds since the signer of a hot wallet stopped answering. 0: it answers.',
    labelNames: ['chain'],
  },
  cashier_hot_wallet_low: { help: '1: a hot wallet has less of a coin than the settings want.', labelNames: ['chain'] },
  cashier_hot_wallet_doubted_seconds: {
    help: 'Seconds since no payout of a hot wallet begins: a node is behind, the nodes disagree, or the wallet was used elsewhere. 0: they fit.',
    labelNames: ['chain', 'why'],
  },
  cashier_shared_wallet_difference: {
    help: 'Coins that a wallet of all operators has beyond their books, by the last reading; below 0: it lacks them. For display only.',
    labelNames: ['chain', 'currency'],
  },
  cashier_chain_uncompared_seconds: {
    help: 'Time since the balances of a chain were last compared with the ledger of every operator. Before that: since its first watch, or the start of the server.',
    labelNames: ['chain'],
  },
  cashier_refunds_open: { help: 'Refunds that have not ended.', labelNames: [] },
  cashier_oldest_open_refund_seconds: { help: 'Age of the oldest refund that has not ended.', labelNames: [] },
  cashier_suspense_payments: { help: 'Payments in suspense that wait for staff.', labelNames: ['currency'] },
  cashier_suspense_amount: {
    help: 'Money in suspense in units of its currency. A floating number for display only; the ledger has the exact one.',
    labelNames: ['currency'],
  },
  cashier_oldest_suspense_seconds: { help: 'Age of the oldest payment in suspense.', labelNames: ['currency'] },
  cashier_pushes_waiting: { help: 'Pushes to widgets that wait to be sent.', labelNames: [] },
  cashier_oldest_push_seconds: { help: 'Age of the oldest push that waits.', labelNames: [] },
  cashier_webhooks_waiting: { help: 'Webhooks that wait to be delivered.', labelNames: [] },
  cashier_webhook_receivers: {
    help: 'Operators whose webhooks wait, by the state of their address: active, paused after failures, switched-off, no-address.',
    labelNames: ['state'],
  },
  cashier_oldest_webhook_seconds: {
    help: 'Age of the oldest webhook that waits, by the state of the operator’s address.',
    labelNames: ['state'],
  },
  cashier_wallet_calls_waiting: { help: 'Calls to operators’ wallets whose outcome is unknown.', labelNames: [] },
  cashier_oldest_wallet_call_seconds: {
    help: 'Age of the oldest call to an operator’s wallet whose outcome is unknown.',
    labelNames: [],
  },
  cashier_callbacks_waiting: { help: 'Stored callbacks that wait to be read.', labelNames: ['provider'] },
  cashier_oldest_callback_seconds: {
    help: 'Age of the oldest callback that waits to be read.',
    labelNames: ['provider'],
  },
  cashier_callbacks_set_aside: {
    help: 'Callbacks of the last 7 days that could not be read ten times. They wait for staff.',
    labelNames: ['provider', 'error'],
  },
  cashier_parked_events: {
    help: 'Events of providers that match no payment, or contradict one, and are still tried or wait for staff.',
    labelNames: ['provider', 'type'],
  },
  cashier_oldest_retried_event_seconds: {
    help: 'Age of the oldest parked event that the server still tries again.',
    labelNames: ['type'],
  },
  cashier_unmatched_reports: {
    help: 'Unmatched events of providers that name no known payment. Their money may have no owner.',
    labelNames: ['provider'],
  },
  cashier_settlement_mismatches: {
    help: 'Differences between the ledger and settlement files, lists or statements that nobody has ended.',
    labelNames: ['provider'],
  },
  cashier_oldest_settlement_mismatch_seconds: {
    help: 'Age of the oldest difference from settlements that nobody has ended.',
    labelNames: ['provider'],
  },
  cashier_unclosed_day_seconds: {
    help: 'Time since the end of the last closed day, of the operator that waits longest. Absent: no operator closes days.',
    labelNames: [],
  },
  cashier_maintenance_age_seconds: {
    help: 'Time since the last audit, full audit or backup that told the database of its run. Absent: none has run.',
    labelNames: ['kind'],
  },
  cashier_maintenance_faults: { help: 'Faults that the last audit, full audit or backup found.', labelNames: ['kind'] },
} as const satisfies Record<string, { readonly help: string; readonly labelNames: readonly string[] }>;

export type GaugeName = keyof typeof GAUGES;

/** One number of a gauge. */
export interface Sample {
  readonly gauge: GaugeName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
