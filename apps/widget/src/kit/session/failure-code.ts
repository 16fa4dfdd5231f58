import { ClientError } from '../../api/client.ts';

/** The contract's code of a failed call; undefined for any other fault. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof ClientError ? error.code : undefined;
}

/** The method's fields that the server found fault with, by name. */
export function refusedNames(error: unknown): string[] {
  const places = error instanceof ClientError ? error.fields : [];
  return places.flatMap(({ path }) => (path.startsWith('fields.') ? path.slice('fields.'.length) : []));
}
