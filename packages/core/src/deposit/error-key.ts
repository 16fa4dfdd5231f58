/** Every locale key of an error code begins so. Apart from the rest, since the first screen knows no deposits. */
export const ERROR_KEY_PREFIX = 'common.errors.';
