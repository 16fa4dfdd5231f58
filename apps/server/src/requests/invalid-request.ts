/** The error for a request that does not have the documented shape. */
import * as v from 'valibot';
import { isStorableText } from '../database/storable-text.ts';
import { DomainError, mostFields } from '../errors/domain-error.ts';
import { issueWords } from './issue-words.ts';

/** For whoever reads the answer; its fields say what is wrong. */
export const NOT_OF_SHAPE = 'The request does not have the documented shape.';

const longestPath = 100;

/** @param schema of the request, for the names of its fields */
export function invalidRequest(issues: readonly v.BaseIssue<unknown>[], schema?: v.GenericSchema): DomainError {
  const fields = new Map<string, string>();
  for (const issue of issues.slice(0, mostFields)) {
    const path = (v.getDotPath(issue) ?? '').slice(0, longestPath);
    // The first rule that a value breaks is enough to correct it.
    if (!fields.has(path)) fields.set(path, issueWords(issue, schema));
  }
  return new DomainError('invalid-request', NOT_OF_SHAPE, {
    fields: [...fields].map(([path, message]) => ({ path, message })),
  });
}

/**
 * Reads a request, or a part of it, by its schema.
 * @throws DomainError invalid-request
 */
export function readRequest<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value ?? {});
  if (!parsed.success) throw invalidRequest(parsed.issues, schema);
  refuseUnstorable(parsed.output);
  return parsed.output;
}

/** @throws DomainError invalid-request, naming the first text that no database can keep */
export function refuseUnstorable(value: unknown): void {
  const failure = unstorableFailure(value);
  if (failure !== undefined) throw failure;
}

/** The failure that names the first text that no database can keep; `undefined` where there is none. */
export function unstorableFailure(value: unknown): DomainError | undefined {
  const path = unstorablePath(value);
  if (path === undefined) return undefined;
  const fields = [
    {
      path: path.slice(0, longestPath),
      message: 'Give text without NUL characters and without unpaired surrogates.',
    },
  ];
  return new DomainError('invalid-request', 'The request has a text with invalid characters.', { fields });
}

/** Path of the first text, key or value, that no database can keep; `undefined` where there is none. */
function unstorablePath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorableText(key)) return path;
    const found = unstorablePath(item, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
