/**
 * References of a payout file that come back in the bank's answers and on the statement. Each has at most 35 characters of the SEPA set.
 * They are derived from ids, so a reference is unique for ever, and a statement names the withdrawal without doubt.
 */

const WITHDRAWAL = 'W';
const FILE = 'F';
const PAYMENT = 'P';

const written = (kind: string, id: string): string => kind + id.replaceAll('-', '').toUpperCase();

/** The end-to-end id of a withdrawal's transfer. @param withdrawalId a UUID */
export const endToEndIdOf = (withdrawalId: string): string => written(WITHDRAWAL, withdrawalId);

/** The message id of a file. @param fileId a UUID */
export const messageIdOf = (fileId: string): string => written(FILE, fileId);

/** The id of a file's payment information, which a statement names when it books the whole file at once. @param fileId a UUID */
export const paymentInformationIdOf = (fileId: string): string => written(PAYMENT, fileId);

function idIn(kinds: string, reference: string): string | undefined {
  const found = new RegExp(`^[${kinds}]([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`, 'i').exec(
    reference.trim(),
  );
  return found?.slice(1).join('-').toLowerCase();
}

/** The withdrawal of an end-to-end id; undefined for a reference that the cashier did not make. */
export const withdrawalOfReference = (reference: string): string | undefined => idIn(WITHDRAWAL, reference);

/** The file of a message id or of a payment information id; undefined for a reference that the cashier did not make. */
export const fileOfReference = (reference: string): string | undefined => idIn(FILE + PAYMENT, reference);
