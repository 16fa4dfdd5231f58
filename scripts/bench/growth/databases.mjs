import pg from 'pg';

/**
 * @param {string} url of a database
 * @returns {Promise<{ query: (text: string, values?: unknown[]) => Promise<any[]>, run: (sql: string) => Promise<void>,
 *   end: () => Promise<void> }>} `run` carries out several statements in one transaction
 */
export async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    run: async (sql) => void (await client.query(sql)),
    end: () => client.end(),
  };
}
