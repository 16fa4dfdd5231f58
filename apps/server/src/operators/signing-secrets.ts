/**
 * SQL of the secrets that sign what an operator gets, newest first, from a row of `operator`. Old ones sign along until their end, so that
 * a receiver may know either.
 */
export const signingSecrets = `case when operator.webhook_old_secrets_until <= now() then operator.webhook_secrets[1:1]
  else operator.webhook_secrets end`;
