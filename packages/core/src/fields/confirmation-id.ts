/** The locale key for a wrong confirmation id (FORM-10). */
export const CONFIRMATION_ID_ERROR_KEY = 'paymentMethods.regex_error.confirmationId';

/** Whether a text can be the receipt number of bKash or Nagad (FORM-10): 8 to 10 digits. */
export function isConfirmationId(text: string): boolean {
  return /^[0-9]{8,10}$/.test(text.trim());
}
