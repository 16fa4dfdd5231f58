/** What the cashier asks of a Lightning node, whatever its software is. */

/** An invoice, as the node knows it. Its preimage is never read. */
export interface NodeInvoice {
  /** 64 hex digits in small letters. The id of the payment. */
  readonly paymentHash: string;
  /** Our id, which the node keeps beside the invoice. */
  readonly externalId: string | undefined;
  /** The text that the payer's wallet reads (BOLT 11). */
  readonly text: string;
  readonly isPaid: boolean;
  /** Satoshis that came, after the fees that the node's operator pays. 0 while it is unpaid. */
  readonly receivedSat: bigint;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly completedAt: number | undefined;
}

export interface NewInvoice {
  readonly amountSat: bigint;
  readonly externalId: string;
  readonly description: string;
  readonly expirySeconds: number;
  readonly signal?: AbortSignal;
}

/**
 * Every method throws NodeSilentError when nobody knows whether the node did its work, and NodeRefusalError when it certainly did not.
 */
export interface LightningNode {
  createInvoice(invoice: NewInvoice): Promise<void>;
  /** Undefined for an invoice that the node does not know. */
  invoice(paymentHash: string): Promise<NodeInvoice | undefined>;
  /** Paid or not. A node keeps no id unique, so there may be several. The oldest first. */
  invoicesOf(externalId: string): Promise<NodeInvoice[]>;
  /** The network that the node says it is on, such as `mainnet`. */
  network(): Promise<string>;
}

/** The node did not answer, or answered nonsense. The message repeats nothing of the answer, which may hold a preimage. */
export class NodeSilentError extends Error {
  override readonly name = 'NodeSilentError';
}

/** The node refused. `mayNot`: the password is wrong, or lacks the right. */
export class NodeRefusalError extends Error {
  override readonly name = 'NodeRefusalError';
  readonly mayNot: boolean;
  constructor(status: number) {
    super(`The node returned status ${status}`);
    this.mayNot = status === 401 || status === 403;
  }
}
