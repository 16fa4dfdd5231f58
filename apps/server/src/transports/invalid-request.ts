/** What a caller is told of a request that does not have the documented shape. */
import * as v from 'valibot';
import { CallFailure } from '../calls/call.ts';
import { unstorablePath, unstorableText } from './storable-text.ts';

const mostFields = 20;
const longestPath = 100;

/** valibot's own message quotes what was received, which may be what a person typed: only what was expected is told. */
export function expectedWords(issue: v.BaseIssue<unknown>): string {
  return issue.expected === null ? 'This value is not allowed.' : `Expected ${issue.expected}.`;
}

export function invalidRequest(issues: readonly v.BaseIssue<unknown>[]): CallFailure {
  const fields = issues.slice(0, mostFields).map((issue) => ({
    path: (v.getDotPath(issue) ?? '').slice(0, longestPath),
    message: expectedWords(issue),
  }));
  return new CallFailure('invalid-request', 'The request does not have the documented shape.', { fields });
}

/**
 * A request, or a part of it, as its schema reads it.
 * @throws CallFailure invalid-request
 */
export function readRequest<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value ?? {});
  if (!parsed.success) throw invalidRequest(parsed.issues);
  refuseUnstorable(parsed.output);
  return parsed.output;
}

/** @throws CallFailure invalid-request, naming the first text that no database can keep */
export function refuseUnstorable(value: unknown): void {
  const path = unstorablePath(value);
  if (path === undefined) return;
  const fields = [{ path: path.slice(0, longestPath), message: unstorableText }];
  throw new CallFailure('invalid-request', 'The request has a text that is none.', { fields });
}
