/** Signatures of the Standard Webhooks scheme, which providers outside this repository need, too. */
export { messageSignature, signingKeyOf } from '@opencashier/provider-kit';
