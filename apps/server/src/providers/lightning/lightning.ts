/**
 * Bitcoin over Lightning, by the operator's own node (SRV-4). Each deposit has one invoice. The payment hash is `providerRef`, and our
 * deposit id is the invoice's external id. A webhook only makes the cashier ask the node, and the node's answer decides.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Provider, ProviderCreateResult, ProviderDeposit } from '../provider.ts';
import { readWebhook, verifyWebhook } from './lightning-callbacks.ts';
import { type LightningNode, type NodeInvoice, NodeRefusalError, NodeSilentError } from './lightning-node.ts';
import { askedSat, CURRENCY, INVOICE_SECONDS, type MoneyKind, PROVIDER_NAME, reportOf } from './lightning-reports.ts';

export interface LightningOptions {
  readonly node: LightningNode;
  /** Several during a change of the secret. */
  readonly webhookSecrets: readonly string[];
  /** What the payer's wallet shows. */
  readonly description: string;
  readonly money: MoneyKind;
  readonly clock: Clock;
}

export function createLightningProvider({
  node,
  webhookSecrets,
  description,
  money,
  clock,
}: LightningOptions): Provider {
  /** Creates of one deposit at the same time, which must not make two invoices. */
  const underWay = new Map<string, Promise<ProviderCreateResult>>();

  async function create(deposit: ProviderDeposit): Promise<ProviderCreateResult> {
    const { depositId, amountMinor, currency, signal } = deposit;
    // The smallest unit of the ledger is the satoshi.
    if (currency !== CURRENCY) return { kind: 'failed', code: 'currency-not-supported' };
    let known: NodeInvoice | undefined;
    try {
      [known] = await node.invoicesOf(depositId);
    } catch (error) {
      // Nothing was asked for yet, so no invoice was made by this call.
      return failureOf(error);
    }
    if (known === undefined) {
      try {
        await node.createInvoice({
          amountSat: amountMinor,
          externalId: depositId,
          description,
          expirySeconds: INVOICE_SECONDS,
          signal,
        });
      } catch (error) {
        if (error instanceof NodeRefusalError) return failureOf(error);
        if (error instanceof NodeSilentError) return { kind: 'unknown', code: 'node-silent' };
        throw error;
      }
      // Another server may have made one at the same time. All servers show the oldest.
      [known] = await node.invoicesOf(depositId);
    }
    if (known === undefined) return { kind: 'unknown', code: 'invoice-missing' };
    // A node on another network, or one that changes the amount, must not be shown.
    if (askedSat(known, money) !== amountMinor) return { kind: 'failed', code: 'wrong-invoice' };
    return shown(known);
  }

  return {
    name: PROVIDER_NAME,
    create(deposit) {
      const running = underWay.get(deposit.depositId) ?? create(deposit);
      underWay.set(deposit.depositId, running);
      const forget = () => underWay.delete(deposit.depositId);
      running.then(forget, forget);
      return running;
    },
    async inquire({ depositId, providerRef }) {
      const invoice =
        providerRef === undefined ? (await node.invoicesOf(depositId))[0] : await node.invoice(providerRef);
      return invoice && reportOf(invoice, money, clock.now());
    },
    verify: (callback) => verifyWebhook(webhookSecrets, callback),
    async read(rawBody) {
      const { type, paymentHash } = readWebhook(rawBody) ?? {};
      if (type !== 'payment_received' || paymentHash === undefined) return undefined;
      const invoice = await node.invoice(paymentHash);
      return invoice && reportOf(invoice, money, clock.now());
    },
  };
}

function failureOf(error: unknown): ProviderCreateResult {
  if (error instanceof NodeRefusalError)
    return { kind: 'failed', code: error.mayNot ? 'password-refused' : 'node-refused' };
  if (error instanceof NodeSilentError) return { kind: 'failed', code: 'node-unreachable' };
  throw error;
}

function shown({ text, paymentHash, createdAt }: NodeInvoice): ProviderCreateResult {
  const link = `lightning:${text}`;
  return {
    kind: 'created',
    providerRef: paymentHash,
    lifetimeSeconds: INVOICE_SECONDS,
    data: {
      unifiedFlow: true,
      // Capital letters make the code smaller, and every wallet reads them.
      qrCodeText: link.toUpperCase(),
      requisites: [{ name: 'invoice', title: 'Lightning (BOLT 11)', value: text, isCopyable: true }],
      buttonPay: link,
      // The node says when it was paid, so there is nothing for the payer to confirm.
      buttons: [],
      created: new Date(createdAt).toISOString(),
      lifetime: INVOICE_SECONDS,
    },
  };
}
