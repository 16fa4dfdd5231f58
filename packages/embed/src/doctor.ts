/** Finds out why the cashier does not work in this page. Loaded only when it does not. */
import type { CashierProblem } from './events.ts';
import type { FrameOptions } from './frame.ts';

/** What the SDK has noticed. */
export type Symptom = 'timeout' | 'start-failed' | 'token-failed' | 'token-refused' | 'reported';

export interface Patient {
  readonly symptom: Symptom;
  /** What came with it: an error of the page's own, or the widget's words. */
  readonly detail?: unknown;
  readonly options: Pick<FrameOptions, 'cashierUrl' | 'partner'> & {
    readonly payload?: { readonly userId?: string | undefined } | undefined;
  };
  /** What the widget was given; empty: no token; undefined: it was not answered yet. */
  readonly token: string | undefined;
}

const answerMs = 5_000;
const probeMs = 500;

/**
 * Asks the cashier's own doctor, which knows the operator's list and tokens. Adds what only the page can know.
 * @returns at least one problem; the first one is the first to fix
 */
export async function diagnose({ symptom, detail, options, token }: Patient): Promise<CashierProblem[]> {
  const base = options.cashierUrl.replace(/\/$/, '');
  const { origin } = new URL(base);
  if (symptom === 'token-failed') {
    return [
      problem(
        'token-failed',
        `\`getToken\` failed (${words(detail)}): return the token from your backend within 15 s.`,
      ),
    ];
  }
  const page = `${base}/doctor?${new URLSearchParams({ partner: options.partner, origin: location.origin })}`;
  try {
    const response = await fetch(`${base}/doctor`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: question(options, token),
      signal: AbortSignal.timeout(answerMs),
    });
    const { problems } = (await response.json()) as { problems: CashierProblem[] };
    if (problems.length > 0) return problems.map(({ code, message }) => problem(code, message));
  } catch (error) {
    if (symptom === 'timeout' && (await isFrameForbidden(base))) return [forbidden(origin)];
    return [
      problem(
        'cashier-unreachable',
        `The cashier at ${base} did not answer the SDK (${words(error)}): check that it runs at this address, or open ${page} if this page's \`connect-src\` does not list it.`,
      ),
    ];
  }
  if (symptom === 'timeout' && (await isFrameForbidden(base))) return [forbidden(origin)];
  return [
    problem(
      symptom,
      `The cashier did not work (${words(detail)}), although the page, token and user are correct: check the console of its frame, or open ${page}.`,
    ),
  ];
}

const forbidden = (origin: string): CashierProblem =>
  problem('frame-policy', `This page's Content-Security-Policy blocks the frame: add \`frame-src ${origin}\` to it.`);

/** Tries a frame once more: the page's own policy says at once when it keeps one away. */
function isFrameForbidden(base: string): Promise<boolean> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    const end = (isForbidden: boolean) => {
      clearTimeout(timer);
      document.removeEventListener('securitypolicyviolation', hear);
      frame.remove();
      resolve(isForbidden);
    };
    const hear = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src' && base.startsWith(new URL(blockedURI).origin)) end(true);
    };
    const timer = setTimeout(() => end(false), probeMs);
    document.addEventListener('securitypolicyviolation', hear);
    frame.hidden = true;
    frame.setAttribute('sandbox', '');
    frame.src = `${base}/doctor`;
    document.body.append(frame);
  });
}

/** The token travels in the body, to the cashier that made it. */
function question({ partner, payload }: Patient['options'], token: string | undefined): URLSearchParams {
  const fields = new URLSearchParams({ partner, origin: location.origin });
  // An empty one is a fault, one that was never asked for is none.
  if (token !== undefined) fields.set('token', token);
  if (payload?.userId !== undefined) fields.set('userId', payload.userId);
  // Known in Chromium and Safari; elsewhere the frames around this page stay unexamined.
  for (const outer of location.ancestorOrigins ?? []) fields.append('ancestor', outer);
  return fields;
}

const problem = (code: string, message: string): CashierProblem => ({ code, message });

function words(detail: unknown): string {
  if (detail instanceof Error) return detail.message;
  return typeof detail === 'string' && detail !== '' ? detail : 'no details';
}
