/**
 * Large payments wait for two people. The signer writes what waits into `waiting/`, and `npm run approve` writes one file for each person
 * into `approvals/`. An approval is of one payment: id, coin, recipient and amount. A new slot or a higher fee needs no new one.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More than these are not written down. They wait all the same. */
const MOST_WAITING = 200;
/** The cashier asks again in each round. What it has not asked for this long was ended by staff there. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;
const NAME = /^[a-z0-9-]{1,32}$/;
const ID = /^[0-9a-f]{16}$/;

/**
 * @param {string} folder of the signer's state
 * @param {() => number} [now]
 */
export function openApprovals(folder, now = Date.now) {
  const waiting = join(folder, 'waiting');
  const approved = join(folder, 'approvals');
  for (const path of [waiting, approved]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const namesOf = (id) => readdirSync(approved).flatMap((file) => (file.startsWith(`${id}.`) ? [file.slice(17)] : []));

  return {
    /** @param {import('./memory.mjs').Entry} entry */
    count: (entry) => namesOf(idOf(entry)).length,
    /** Shows a payment to people. What was not asked for a day makes room for it. */
    ask(entry, request) {
      const id = idOf(entry);
      const path = join(waiting, `${id}.json`);
      const files = readdirSync(waiting);
      if (files.includes(`${id}.json`)) return utimesSync(path, now() / 1000, now() / 1000);
      const forgotten = files.filter((file) => statSync(join(waiting, file)).mtimeMs <= now() - FORGOTTEN_MS);
      if (files.length - forgotten.length >= MOST_WAITING) return;
      for (const file of forgotten) rmSync(join(waiting, file), { force: true });
      const { withdrawalId, operator, chain, pays } = request;
      const shown = { id, withdrawalId, operator, chain, ...pays };
      writeFileSync(join(waiting, `${id}.tmp`), JSON.stringify(shown, undefined, 2));
      utimesSync(join(waiting, `${id}.tmp`), now() / 1000, now() / 1000);
      renameSync(join(waiting, `${id}.tmp`), path);
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
