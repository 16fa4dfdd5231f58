/** The statement of a bank that paid every transfer of a file. */
export function paidStatement(file: string): string {
  const transfers = [...file.matchAll(/<EndToEndId>(\w+)<.*?<InstdAmt Ccy="EUR">([\d.]+)</g)].map(
    ([, reference = '', amount = '']) => ({ reference, amount }),
  );
  const cents = transfers.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
  const euros = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
  const opening = 100_000_000n;
  const balance = (code: string, minor: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(minor)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-02</Dt></Dt></Bal>`;
  const entries = transfers.map(
    ({ reference, amount }) =>
      `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-02-02</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
  );
  const stated = `<Stmt><Id>1</Id>${balance('OPBD', opening)}${balance('CLBD', opening - cents)}${entries.join('')}</Stmt>`;
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${stated}</BkToCstmrStmt></Document>`;
}
