/** `npm run approve` lists the payments that wait for approval. `npm run approve -- <id> <name>` approves one. */
import { openApprovals } from './approvals.mjs';
import { APPROVALS } from './judge.mjs';

const { STATE_FOLDER = 'state' } = process.env;
const approvals = openApprovals(STATE_FOLDER);
const [id, name] = process.argv.slice(2);
try {
  if (id === undefined) console.log(JSON.stringify(approvals.list(), undefined, 2));
  else if (name === undefined) throw new RangeError('Give the id of a payment and your name.');
  else {
    const count = approvals.approve(id, name);
    const rest = APPROVALS - count;
    console.log(
      rest > 0
        ? `Approved. ${rest} more must approve it.`
        : 'Approved. The signer signs it when the cashier asks again.',
    );
  }
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
