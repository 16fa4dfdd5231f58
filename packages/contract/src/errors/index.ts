/** What to do about each error code. The page docs/errors and the examples of the OpenAPI page are made from this table. */
import type { ErrorCode } from '../api/error.ts';

/** Who can remove the cause: the payer, the engineer of the caller, the operator's staff, or the people who run the cashier. */
export type Actor = 'payer' | 'integrator' | 'staff' | 'host';

export interface ErrorGuide {
  readonly happened: string;
  readonly cause: string;
  readonly remedy: string;
  readonly actor: Actor;
  /** Whether and how to send the same request again. */
  readonly retry: string;
  /** The parts of an answer with this code, beside the code. */
  readonly example: {
    readonly message: string;
    readonly fields?: readonly { readonly path: string; readonly message: string }[];
    readonly params?: Readonly<Record<string, string>>;
    readonly retryAfterSeconds?: number;
    readonly reference?: string;
  };
}

const never = 'No. The same request gets the same answer.';
const afterChange = 'Only after the remedy.';
const sameKey = 'Yes, with the same idempotency key.';

/** One entry for each code. A code without an entry does not compile. */
export const errorGuide: Readonly<Record<ErrorCode, ErrorGuide>> = {
  'invalid-request': {
    happened: 'The server refused the request before it did anything.',
    cause: 'A field is missing, unknown or of a wrong form.',
    remedy: 'Read `fields`: each entry names a field, what is wrong with it and what is allowed. Correct the request.',
    actor: 'integrator',
    retry: never,
    example: {
      message: 'The request does not have the documented shape.',
      fields: [{ path: 'currency', message: 'Give a currency code such as EUR.' }],
    },
  },
  unauthorized: {
    happened: 'The server does not know who is calling.',
    cause: 'The operator key or the user token is missing, wrong or revoked.',
    remedy: 'Send `authorization: Bearer …` with a valid key or token. Issue a new token for a user.',
    actor: 'integrator',
    retry: afterChange,
    example: { message: 'The user token is missing or not valid.' },
  },
  'token-expired': {
    happened: 'The user token is no longer valid.',
    cause: 'A token lives for at most 15 minutes.',
    remedy: 'Issue a new token on your backend and give it to the widget. The SDK asks your `getToken` for it.',
    actor: 'integrator',
    retry: 'Yes, with the new token.',
    example: { message: 'The user token has expired.' },
  },
  'forbidden-origin': {
    happened: 'The server refused a request from a page.',
    cause: 'The origin of the page is not registered for the operator.',
    remedy: 'Register the origin. Compare scheme, host and port: each of them counts.',
    actor: 'staff',
    retry: afterChange,
    example: { message: 'This origin is not registered.' },
  },
  'not-found': {
    happened: 'There is nothing under this id or path.',
    cause: 'The id or the path is wrong, or the object belongs to another user or operator.',
    remedy: 'Check the id, the path and the key. An object of another operator looks like one that does not exist.',
    actor: 'integrator',
    retry: never,
    example: { message: 'Review not found.' },
  },
  'method-not-allowed': {
    happened: 'The path exists, but not with this HTTP method.',
    cause: 'The request used GET in place of POST, or the other way round.',
    remedy: 'Use the method that the reference names for the path.',
    actor: 'integrator',
    retry: never,
    example: { message: 'This call needs another HTTP method.' },
  },
  'in-flight': {
    happened: 'Another request with the same idempotency key is still in progress.',
    cause: 'The caller sent the request twice at the same time.',
    remedy: 'Wait a few seconds and ask for the status. The user must not pay again.',
    actor: 'integrator',
    retry: sameKey,
    example: { message: 'This payment is being created.' },
  },
  'state-conflict': {
    happened: 'The object is in a state that does not allow the request.',
    cause: 'Something changed it first: the provider, the user, a deadline or a colleague.',
    remedy: 'Read the object again. `params` often has the current state or version. Decide on that basis.',
    actor: 'integrator',
    retry: afterChange,
    example: { message: 'The withdrawal does not wait for approval.', params: { state: 'submitted' } },
  },
  'request-too-large': {
    happened: 'The server did not read the whole request.',
    cause: 'The body or the message is larger than the limit.',
    remedy: 'Send less at a time.',
    actor: 'integrator',
    retry: never,
    example: { message: 'The request body is larger than the limit.' },
  },
  'idempotency-conflict': {
    happened: 'Nothing was done, because the idempotency key is already used.',
    cause: 'An earlier request had the same key and another body.',
    remedy: 'Use a new key for a new request. Repeat an old request with exactly its old body.',
    actor: 'integrator',
    retry: never,
    example: { message: 'Another transfer used this key.' },
  },
  'limit-min': {
    happened: 'The amount is too small, and nothing was charged.',
    cause: 'The method has a minimum in this currency.',
    remedy: 'Choose an amount of at least `params.min`.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The amount is below the minimum.', params: { min: '10.00' } },
  },
  'limit-max': {
    happened: 'The amount is too large, and nothing was charged.',
    cause: 'The method has a maximum in this currency, or the user has reached a limit.',
    remedy: 'Choose an amount of at most `params.max`.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The amount is above the maximum.', params: { max: '1000.00' } },
  },
  'method-unavailable': {
    happened: 'The user cannot pay with this method, and nothing was charged.',
    cause: 'The method is switched off, or not offered in this country or currency.',
    remedy: 'Load the list of methods again and choose another one. To offer the method, change the catalogue.',
    actor: 'payer',
    retry: never,
    example: { message: 'The payment method is not available.' },
  },
  'insufficient-funds': {
    happened: 'Nothing was moved, because the balance is too small.',
    cause: 'The account has less than the amount.',
    remedy: 'Choose an amount of at most `params.max`, if it is present.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The balance does not cover the amount.', params: { max: '12.50' } },
  },
  'bonus-expired': {
    happened: 'The deposit was not created.',
    cause: 'The bonus ended while the user was filling in the form.',
    remedy: 'Ask the user whether to pay without the bonus.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The bonus has ended.' },
  },
  'banking.paymentMethodRegex': {
    happened: 'The payment was not created.',
    cause: 'A value breaks a rule of the payment method, such as the form of an account number.',
    remedy: 'Correct the field that `fields` names.',
    actor: 'payer',
    retry: afterChange,
    example: {
      message: 'A field breaks a rule of the payment method.',
      fields: [{ path: 'fields.phone', message: 'This value does not have the form that the method requires.' }],
    },
  },
  'code-wrong': {
    happened: 'The withdrawal is not confirmed yet.',
    cause: 'The confirmation code is not the one that was sent last.',
    remedy: 'Enter the code of the newest message. `params.attemptsLeft` is the number of attempts left.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The confirmation code is wrong.', params: { attemptsLeft: '4' } },
  },
  'code-expired': {
    happened: 'The withdrawal is not confirmed yet.',
    cause: 'The confirmation code is too old.',
    remedy: 'Request a new code with `withdrawal-code-send`.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The confirmation code has expired.' },
  },
  'code-attempts': {
    happened: 'The withdrawal has ended, and its amount is available again.',
    cause: 'The user entered too many wrong codes.',
    remedy: 'Create a new withdrawal. If the user did not enter the codes, check who has access to the account.',
    actor: 'payer',
    retry: never,
    example: { message: 'Too many wrong codes. The withdrawal has ended.' },
  },
  'banking.merchantClientError': {
    happened: 'The provider refused the payment, and nothing was charged.',
    cause: 'The provider gave a reason for the user, in `message`.',
    remedy: 'Show `message` to the user, who can correct the details or choose another method.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'This account cannot receive payments.' },
  },
  'box-sold-out': {
    happened: 'The coin box was not bought, and nothing was charged.',
    cause: 'Other users bought the last one.',
    remedy: 'Load the boxes again and choose another one.',
    actor: 'payer',
    retry: never,
    example: { message: 'The coin box is sold out.' },
  },
  'box-changed': {
    happened: 'The coin box was not bought, and nothing was charged.',
    cause: 'Its price or its coins changed after the user saw it.',
    remedy: 'Show the terms in `params` and ask the user again.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'The coin box has changed.', params: { price: '9.99', currency: 'EUR' } },
  },
  'playthrough-required': {
    happened: 'Nothing was redeemed.',
    cause: 'Some of the coins must be played first.',
    remedy: 'Redeem at most `params.max`, or play `params.unplayed` first.',
    actor: 'payer',
    retry: afterChange,
    example: { message: 'Some coins are unplayed.', params: { max: '5.00', unplayed: '20.00' } },
  },
  'rate-stale': {
    happened: 'The withdrawal was not created.',
    cause: 'The exchange rate on the screen is no longer valid.',
    remedy: 'Show the new quote in `params` and ask the user again. Without a quote there is no rate: try again later.',
    actor: 'payer',
    retry: 'Yes, with the new quote.',
    example: { message: 'The rate has expired.', params: { quote: 'q1.eyJyYXRlIjoiMS4wOCJ9' } },
  },
  'payee-close-match': {
    happened: 'The withdrawal was not created.',
    cause: 'The bank knows the account under a name that nearly matches the typed one.',
    remedy:
      'Show `params.name` and let the user choose. Send either this name in the field, or the typed name with `payeeName: "keep"`.',
    actor: 'payer',
    retry: 'Yes, with the choice of the user.',
    example: {
      message: 'The bank knows this account under a nearly equal name.',
      fields: [{ path: 'fields.fullName', message: 'The bank knows this account under a nearly equal name.' }],
      params: { name: 'Jane Doe' },
    },
  },
  captcha_required: {
    happened: 'The server wants to know that a person is calling.',
    cause: 'The method or the number of attempts requires a captcha.',
    remedy: 'Show the captcha and send its result with the same request. The widget does this by itself.',
    actor: 'payer',
    retry: 'Yes, once, with the same idempotency key and the result of the captcha.',
    example: { message: 'A captcha is required.' },
  },
  'rate-limited': {
    happened: 'The server did not carry out the request.',
    cause: 'The caller sent too many requests in a minute.',
    remedy: 'Wait for `retryAfterSeconds`, and spread the requests.',
    actor: 'integrator',
    retry: 'Yes, after `retryAfterSeconds`.',
    example: { message: 'Too many requests.', retryAfterSeconds: 20 },
  },
  internal: {
    happened: 'The server failed in a way that nobody foresaw.',
    cause: 'A fault of the cashier. Its log has the details under `reference`.',
    remedy: 'Give `reference` to the people who run the cashier. Ask for the status before you pay again.',
    actor: 'host',
    retry: sameKey,
    example: { message: 'An internal error. The server logged it under `reference`.', reference: '6e1f0c7a' },
  },
  'not-implemented': {
    happened: 'The server cannot carry out the call.',
    cause: 'The server is older than the widget, or it runs without a part that the call needs.',
    remedy: 'Update the server, or set up the missing part.',
    actor: 'host',
    retry: never,
    example: { message: 'This server does not implement the call.' },
  },
  'provider-error': {
    happened: 'The payment was not made, and nothing was charged.',
    cause: 'The provider answered with an error. `params.declineCause` has the cause, if the payer can act on it.',
    remedy: 'Try again later or choose another method. If it happens often, check the account at the provider.',
    actor: 'payer',
    retry: 'Yes, as a new payment.',
    example: { message: 'The provider answered with an error.', params: { declineCause: 'card-expired' } },
  },
  'unknown-outcome': {
    happened: 'The provider may have taken the money, and the server is checking.',
    cause: 'The provider did not answer in time, or its answer could not be read.',
    remedy: 'Do not pay again. Wait for the status or the webhook.',
    actor: 'integrator',
    retry: 'Ask for the status in place of a repeat. A repeat with the same key is safe and pays nothing twice.',
    example: { message: 'The outcome is being checked. Do not pay again.' },
  },
  'temporarily-unavailable': {
    happened: 'The server could not carry out the request, and nothing was charged.',
    cause: 'The database or the server itself is not available, for example during a restart.',
    remedy: 'Wait for `retryAfterSeconds`. If it lasts, see the log of the server.',
    actor: 'host',
    retry: sameKey,
    example: {
      message: 'The server is temporarily unavailable. Nothing was charged. Try again.',
      retryAfterSeconds: 5,
    },
  },
};
