/** The HTTP interface of phoenixd. Its password with limited access is enough: it makes and reads invoices, and cannot pay. */
import * as v from 'valibot';
import {
  type LightningNode,
  type NewInvoice,
  type NodeInvoice,
  NodeRefusalError,
  NodeSilentError,
} from './lightning-node.ts';

export interface PhoenixdAddress {
  /** Without a slash at the end. */
  readonly url: string;
  readonly password: string;
}

const ANSWER_WITHIN_MS = 6_000;
const LARGEST_ANSWER = 1_000_000;

const sats = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.transform((whole) => BigInt(whole)),
);
const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Without the preimage, which proves the payment and belongs to the payer alone. */
const incomingSchema = v.pipe(
  v.object({
    paymentHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    externalId: v.nullish(v.string()),
    invoice: v.nullish(v.string()),
    isPaid: v.boolean(),
    receivedSat: sats,
    createdAt: time,
    completedAt: v.nullish(time),
  }),
  v.transform(
    ({ externalId, invoice, completedAt, ...rest }): NodeInvoice => ({
      ...rest,
      externalId: externalId ?? undefined,
      text: invoice ?? '',
      completedAt: completedAt ?? undefined,
    }),
  ),
);
const infoSchema = v.object({ chain: v.string() });
const createdSchema = v.object({ paymentHash: v.string() });

export function createPhoenixdNode({ url, password }: PhoenixdAddress): LightningNode {
  const authorization = `Basic ${Buffer.from(`:${password}`).toString('base64')}`;

  /** @returns undefined for 404 */
  async function ask(path: string, form?: URLSearchParams, signal?: AbortSignal): Promise<string | undefined> {
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
    let status: number;
    let text: string;
    try {
      const answer = await fetch(`${url}${path}`, {
        ...(form === undefined ? {} : { method: 'POST', body: form }),
        headers: { authorization, accept: 'application/json' },
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      status = answer.status;
      text = await answer.text();
    } catch (error) {
      throw new NodeSilentError('The node did not answer', { cause: error });
    }
    if (status === 404) return undefined;
    if (status >= 500) throw new NodeSilentError(`The node returned status ${status}`);
    if (status < 200 || status >= 300) throw new NodeRefusalError(status);
    if (text.length > LARGEST_ANSWER) throw new NodeSilentError('The response of the node is too large');
    return text;
  }

  return {
    async createInvoice({ amountSat, externalId, description, expirySeconds, signal }: NewInvoice) {
      const form = new URLSearchParams({
        amountSat: String(amountSat),
        externalId,
        description,
        expirySeconds: String(expirySeconds),
      });
      const text = await ask('/createinvoice', form, signal);
      if (text === undefined) throw new NodeRefusalError(404);
      parsed(text, createdSchema);
    },
    async invoice(paymentHash) {
      const text = await ask(`/payments/incoming/${paymentHash}`);
      return text === undefined ? undefined : parsed(text, incomingSchema);
    },
    async invoicesOf(externalId) {
      // Without `all`, the node lists paid invoices only.
      const text = await ask(`/payments/incoming?all=true&limit=20&externalId=${encodeURIComponent(externalId)}`);
      const found = text === undefined ? [] : parsed(text, v.array(incomingSchema));
      return found
        .filter((invoice) => invoice.externalId === externalId)
        .sort((one, other) => one.createdAt - other.createdAt || (one.paymentHash < other.paymentHash ? -1 : 1));
    },
    async network() {
      return parsed((await ask('/getinfo')) ?? '', infoSchema).chain;
    },
  };
}

function parsed<Schema extends v.GenericSchema>(text: string, schema: Schema): v.InferOutput<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The cause would repeat the answer.
    throw new NodeSilentError('The response of the node is not JSON');
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new NodeSilentError(
    `The node returned an unexpected response, at ${v.getDotPath(result.issues[0]) ?? 'the top'}`,
  );
}
