/** Rows of a filled database that the benchmark asks for: users, payments, and places deep in the lists. */

const ofDemo = `operator_id = 'demo'`;

/**
 * @param {<Row>(text: string) => Promise<Row[]>} query
 * @returns {Promise<Targets>}
 * @typedef {{ users: readonly string[], heavy: string, payments: readonly { id: string, reference: string }[],
 *   txids: readonly string[], addresses: readonly string[], middle: Date, smallOperator: string }} Targets
 */
export async function findTargets(query) {
  const users = await query(`select user_id from bench.person where ${ofDemo} order by md5(user_id) limit 200`);
  const [heavy] = await query(
    `select user_id from deposit where ${ofDemo} group by user_id order by count(*) desc, user_id limit 1`,
  );
  const payments = await query(
    `select id, provider_ref as reference from deposit where ${ofDemo} and state = 'credited' order by md5(id::text) limit 200`,
  );
  const crypto = await query(
    `select txid, response #>> '{apiResponse,data,depositAddress}' as address from deposit
      where ${ofDemo} and txid is not null order by md5(id::text) limit 200`,
  );
  const [middle] = await query(
    `select percentile_disc(0.3) within group (order by created_at) as at from deposit where ${ofDemo}`,
  );
  const [small] = await query(
    `select operator_id from deposit group by operator_id order by count(*), operator_id limit 1`,
  );
  return {
    users: users.map((row) => row.user_id),
    heavy: heavy.user_id,
    payments,
    txids: crypto.map((row) => row.txid),
    addresses: crypto.map((row) => row.address),
    middle: middle.at,
    smallOperator: small.operator_id,
  };
}
