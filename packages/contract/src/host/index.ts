/** The exports of the package for the protocol between widget and host. */
export * from './captcha-messages.ts';
export * from './limits.ts';
export * from './messages.ts';
export * from './parse-host-message.ts';
export * from './payload.ts';
