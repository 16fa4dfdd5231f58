/**
 * The prefix of the locale key of every error code. In a file of its own, because the first screen loads no deposit code.
 */
export const ERROR_KEY_PREFIX = 'common.errors.';
