/** The forms of Stripe's secrets, for the settings of the server and for connections of operators. */

// Stripe's keys are longer. A key that was cut while somebody copied it is shorter.
export const stripeKeyForm = /^[sr]k_(?:test|live)_[A-Za-z0-9_]{16,}$/;
export const stripeKeyMeaning =
  'a complete secret key of Stripe, which begins with sk_live_, sk_test_, rk_live_ or rk_test_';
export const stripeSecretForm = /^whsec_[A-Za-z0-9+/=_-]{16,}$/;
export const stripeSecretMeaning = 'a complete signing secret of Stripe, which begins with whsec_';
