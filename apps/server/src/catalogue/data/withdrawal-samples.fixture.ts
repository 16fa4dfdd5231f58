/** Sample values for every kind of field of the withdrawal methods. Account numbers have valid check digits. */
import type { CatalogueMethod } from '../catalogue.ts';

const addresses: Readonly<Record<string, string>> = {
  bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  litecoin: 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
  dogecoin: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  trc20: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  ethereum: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  erc20: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  bep20: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  polygon: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ton: 'EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG',
};

const ibans: Readonly<Record<string, string>> = {
  AZ: 'AZ21 NABZ 0000 0000 1370 1000 1944',
  DE: 'DE89 3704 0044 0532 0130 00',
  KZ: 'KZ86 125K ZT50 0410 0100',
  TR: 'TR33 0006 1005 1978 6457 8413 26',
};

/** Card numbers with the prefix that the method requires. All other methods accept the usual test number. */
const cards: Readonly<Record<string, string>> = {
  mir_card_withdrawal: '2200 0000 0000 0004',
  uzcard_withdrawal: '8600 0000 0000 0000',
  humo_withdrawal: '9860 0000 0000 0000',
  elcart_withdrawal: '9417 0000 0000 0000',
  troy_card_withdrawal: '9792 0000 0000 0003',
};

const accounts: Readonly<Record<string, string>> = {
  BR: '12345-6',
  KG: '1030 0000 0000 0000',
  RU: '40817 810 0 0000 0000001',
  TJ: '2020 0000 0000 0000 0001',
  UZ: '2020 8000 0000 0000 0001',
};

const ours: Readonly<Record<string, string>> = {
  agency: '0001',
  clabe: '002 010 07777777777 1',
  cpf: '529.982.247-25',
  email: 'ana@example.com',
  fullName: 'Ana Maria de Souza',
  ifsc: 'SBIN0001234',
  mfo: '00014',
  routingNumber: '060261234',
  vpa: 'ana@okbank',
};

const wallets: Readonly<Record<string, string>> = {
  papara_withdrawal: '1234567890',
  rocket_withdrawal: '017123456789',
  webmoney_withdrawal: 'Z123456789012',
  yoomoney_withdrawal: '410011234567890',
};

/** Valid values for every field of a method, in its first country. */
export function sampleFields(method: CatalogueMethod): Record<string, string> {
  const { name, network, countries } = method;
  const country = countries[0] ?? '';
  const asked = Object.fromEntries(
    method.fields.flatMap((field) => {
      const of = (): string | undefined => {
        if (field.name === 'wallet')
          return network === undefined ? (wallets[name] ?? '01712345678') : addresses[network];
        if (field.name === 'cardNumber') return cards[name] ?? '4111 1111 1111 1111';
        if (field.name === 'iban') return ibans[country];
        // The central bank's own example is an account of bank 011.
        if (field.category === 'nuban') return '0000014579';
        if (field.category === 'bank') return '011';
        if (field.name === 'accountNumber') return accounts[country] ?? '1234567890123';
        if (field.name === 'bic') return country === 'RU' ? '044525225' : '103001';
        if (field.type === 'phone_with_prefix') {
          const { prefix = '', example = '' } = field.countries?.[0] ?? {};
          return prefix + example.replace(/\D/g, '');
        }
        return ours[field.name] ?? field.values?.[0]?.value;
      };
      const value = of();
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
  // A Pix form sends the key of the chosen kind under one name.
  return 'pixKeyType' in asked
    ? { pixKeyType: 'email', pixKey: ours['email'] ?? '', numberId: ours['cpf'] ?? '', numberType: 'cpf' }
    : asked;
}
