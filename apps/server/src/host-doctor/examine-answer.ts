/**
 * Compares the headers that a browser got with the widget's page against the headers that the cashier sends. They differ when a
 * proxy in front of the cashier adds or replaces headers.
 */
import { directivesOf } from './frame-sources.ts';

/** Headers of the widget's page as a browser received them. An empty text: the header was not there. */
export interface AnswerHeaders {
  /** `Content-Security-Policy`. Several headers of this name are joined by commas. */
  readonly policy: string;
  /** `X-Frame-Options`. */
  readonly frameOptions: string;
}

export interface AnswerVerdict {
  /** `advice`: current browsers work all the same. */
  readonly verdict: 'good' | 'bad' | 'advice';
  readonly code?: 'frame-ancestors-changed' | 'frame-options-added';
  readonly message: string;
}

/** @param allowedOrigins the partner's origins, which the cashier sends as `frame-ancestors` */
export function examineAnswer(headers: AnswerHeaders, allowedOrigins: readonly string[]): AnswerVerdict {
  const wanted = allowedOrigins.length > 0 ? allowedOrigins : ["'none'"];
  const policies = headers.policy.split(',').flatMap((policy) => {
    const sources = directivesOf(policy).get('frame-ancestors');
    return sources === undefined ? [] : [new Set(sources.map((source) => source.toLowerCase().replace(/\/$/, '')))];
  });
  if (policies.length === 0) {
    return {
      verdict: 'bad',
      code: 'frame-ancestors-changed',
      message:
        'The page of the cashier arrived without `frame-ancestors`, which the cashier always sends. Let the proxy before the cashier pass on `Content-Security-Policy` unchanged.',
    };
  }
  const isSame = policies.every((list) => list.size === wanted.length && wanted.every((source) => list.has(source)));
  if (!isSame) {
    return {
      verdict: 'bad',
      code: 'frame-ancestors-changed',
      message: `The page of the cashier arrived with \`frame-ancestors ${policies.map((list) => [...list].join(' ')).join(', ')}\`, but the cashier sends \`frame-ancestors ${wanted.join(' ')}\`. Let the proxy before the cashier pass on \`Content-Security-Policy\` unchanged.`,
    };
  }
  if (headers.frameOptions !== '') {
    return {
      verdict: 'advice',
      code: 'frame-options-added',
      message: `The page of the cashier arrived with \`X-Frame-Options: ${headers.frameOptions}\`. The cashier never sends this header, and old browsers obey it. Remove it in the proxy before the cashier.`,
    };
  }
  return { verdict: 'good', message: 'The page of the cashier arrives with the frame rules that the cashier sends.' };
}
