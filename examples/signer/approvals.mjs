/**
 * Large payments wait for two people. The signer writes what waits into `waiting/`, and `npm run approve` writes one file for each person
 * into `approvals/`. An approval is of one payment: id, coin, recipient and amount. A new slot or a higher fee needs no new one.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More than these are not written down. They wait all the same. */
const MOST_WAITING = 200;
const NAME = /^[a-z0-9-]{1,32}$/;
const ID = /^[0-9a-f]{16}$/;

/** @param {string} folder of the signer's state */
export function openApprovals(folder) {
  const waiting = join(folder, 'waiting');
  const approved = join(folder, 'approvals');
  for (const path of [waiting, approved]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const namesOf = (id) => readdirSync(approved).flatMap((file) => (file.startsWith(`${id}.`) ? [file.slice(17)] : []));

  return {
    /** @param {import('./memory.mjs').Entry} entry */
    count: (entry) => namesOf(idOf(entry)).length,
    /** Shows a payment to people. */
    ask(entry, request) {
      const id = idOf(entry);
      const files = readdirSync(waiting);
      if (files.includes(`${id}.json`) || files.length >= MOST_WAITING) return;
      const { withdrawalId, operator, chain, pays } = request;
      const shown = { id, withdrawalId, operator, chain, ...pays };
      writeFileSync(join(waiting, `${id}.tmp`), JSON.stringify(shown, undefined, 2));
      renameSync(join(waiting, `${id}.tmp`), join(waiting, `${id}.json`));
    },
    /** A payment that was signed waits no more. */
    forget: (entry) => rmSync(join(waiting, `${idOf(entry)}.json`), { force: true }),
    list: () =>
      readdirSync(waiting)
        .filter((file) => file.endsWith('.json'))
        .map((file) => JSON.parse(readFileSync(join(waiting, file), 'utf8')))
        .map((one) => ({ ...one, approvedBy: namesOf(one.id) })),
    /**
     * @returns {number} how many people have approved it
     * @throws {RangeError} for an unknown payment or a name of another form
     */
    approve(id, name) {
      if (!NAME.test(name)) throw new RangeError('A name has 1 to 32 small letters, digits and hyphens.');
      if (!ID.test(id) || !readdirSync(waiting).includes(`${id}.json`)) throw new RangeError('No such payment waits.');
      writeFileSync(join(approved, `${id}.${name}`), new Date().toISOString());
      return namesOf(id).length;
    },
  };
}

function idOf({ chain, payment, contract, to, units }) {
  const content = JSON.stringify([chain, payment, contract, to, units]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
