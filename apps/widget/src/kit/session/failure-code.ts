import { ClientError } from '../../api/client.ts';

/** The contract's code of a failed call; undefined for any other error. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof ClientError ? error.code : undefined;
}

/** The names of the method's fields that the server refused. */
export function refusedNames(error: unknown): string[] {
  const places = error instanceof ClientError ? error.fields : [];
  return places.flatMap(({ path }) => (path.startsWith('fields.') ? path.slice('fields.'.length) : []));
}
