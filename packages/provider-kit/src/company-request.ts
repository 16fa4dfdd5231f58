/** One request to a company's JSON interface: bounded in time and size, and never redirected. */

export interface CompanyRequest {
  /** Default: `GET`. */
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body. `content-type` is JSON. */
  readonly body?: string;
  /** Ends the request. Share one signal between all requests of a call, so that the call keeps its time limit. */
  readonly signal: AbortSignal;
}

export interface CompanyAnswer {
  readonly status: number;
  /** The parsed JSON. `undefined` where the body is none, as in the error page of a gateway. Nothing in it is trusted. */
  readonly body: unknown;
}

/** The largest answer that is read, in bytes. */
const MOST_BYTES = 1_000_000;

/**
 * @throws when no answer arrives in time, or a larger one than a million bytes: the outcome of a request that moves money is then unknown
 */
export async function askCompany(url: string, request: CompanyRequest): Promise<CompanyAnswer> {
  const { method = 'GET', headers, body, signal } = request;
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal,
    // A redirect would send the key to another host.
    redirect: 'error',
  });
  return { status: response.status, body: parsed(await boundedText(response)) };
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error(`The answer has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer without JSON is judged by its status alone.
    return undefined;
  }
}
