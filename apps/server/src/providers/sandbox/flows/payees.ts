/** The payees: invented people and banks, with numbers that pass the usual checks. */
import { ibanOf } from '@opencashier/core/fields/iban';
import type { SandboxPayment } from '../payments/payment.ts';
import { digitsOf } from './flow.ts';

interface Country {
  /** The first digits of a card, from ranges for tests. A method may name others. */
  readonly cardPrefix: string;
  readonly phonePrefix: string;
  readonly phoneDigits: number;
  readonly bank: string;
  readonly people: readonly [string, string];
}

const countries: Readonly<Record<string, Country>> = {
  RU: {
    cardPrefix: '220000',
    phonePrefix: '+7900',
    phoneDigits: 7,
    bank: 'Sandbox Bank',
    people: ['Ivan Pesochny', 'Anna Pesochnaya'],
  },
  IN: {
    cardPrefix: '508500',
    phonePrefix: '+9190000',
    phoneDigits: 5,
    bank: 'Sandbox Bank of India',
    people: ['Ravi Sandbox', 'Meera Sandbox'],
  },
  BR: {
    cardPrefix: '509000',
    phonePrefix: '+551190000',
    phoneDigits: 4,
    bank: 'Banco Sandbox',
    people: ['Joao Areia', 'Maria Areia'],
  },
  MX: {
    cardPrefix: '400000',
    phonePrefix: '+5255000',
    phoneDigits: 5,
    bank: 'Banco Sandbox MX',
    people: ['Jose Arenero', 'Lucia Arenero'],
  },
  KZ: {
    cardPrefix: '400000',
    phonePrefix: '+7700000',
    phoneDigits: 4,
    bank: 'Sandbox Bank KZ',
    people: ['Aidar Sandbox', 'Aigul Sandbox'],
  },
  UZ: {
    cardPrefix: '860000',
    phonePrefix: '+99890000',
    phoneDigits: 4,
    bank: 'Sandbox Bank UZ',
    people: ['Aziz Sandbox', 'Dilnoza Sandbox'],
  },
  KG: {
    cardPrefix: '941700',
    phonePrefix: '+99655000',
    phoneDigits: 4,
    bank: 'Sandbox Bank KG',
    people: ['Azamat Sandbox', 'Aizada Sandbox'],
  },
  AZ: {
    cardPrefix: '416900',
    phonePrefix: '+99450000',
    phoneDigits: 4,
    bank: 'Sandbox Bank AZ',
    people: ['Elvin Sandbox', 'Leyla Sandbox'],
  },
  NG: {
    cardPrefix: '506000',
    phonePrefix: '+234800000',
    phoneDigits: 4,
    bank: 'Sandbox Bank Nigeria',
    people: ['Chidi Sandbox', 'Ada Sandbox'],
  },
  BD: {
    cardPrefix: '400000',
    phonePrefix: '0170000',
    phoneDigits: 4,
    bank: 'Sandbox Bank BD',
    people: ['Karim Sandbox', 'Nusrat Sandbox'],
  },
  DE: {
    cardPrefix: '400000',
    phonePrefix: '+4915000',
    phoneDigits: 6,
    bank: 'Sandbox Bank',
    people: ['Max Sandkasten', 'Erika Sandkasten'],
  },
  TR: {
    cardPrefix: '979200',
    phonePrefix: '+9050000',
    phoneDigits: 5,
    bank: 'Sandbox Bankasi',
    people: ['Ahmet Kumsal', 'Ayse Kumsal'],
  },
};

const elsewhere: Country = {
  cardPrefix: '400000',
  phonePrefix: '+1555',
  phoneDigits: 7,
  bank: 'Sandbox Bank',
  people: ['Sam Sandbox', 'Alex Sandbox'],
};

const placeOf = (country: string): Country =>
  (Object.hasOwn(countries, country) ? countries[country] : undefined) ?? elsewhere;

export interface Payee {
  readonly fullName: string;
  readonly bankName: string;
  /** Sixteen digits with a valid check digit (Luhn). */
  readonly cardNumber: string;
  readonly phone: string;
  /** The account in the country's usual form, such as an IBAN. */
  readonly account: string;
}

/** The payee of a payment. The same payment always has the same payee. */
export function payeeOf(payment: SandboxPayment, country: string, cardPrefix?: string): Payee {
  const place = placeOf(country);
  const [first, second] = place.people;
  return {
    fullName: Number(digitsOf(payment, 'person', 1)) % 2 === 0 ? first : second,
    bankName: place.bank,
    cardNumber: cardNumberOf(payment, cardPrefix ?? place.cardPrefix),
    phone: place.phonePrefix + digitsOf(payment, 'phone', place.phoneDigits),
    account: accountOf(payment, country),
  };
}

function cardNumberOf(payment: SandboxPayment, prefix: string): string {
  const body = prefix + digitsOf(payment, 'card', 15 - prefix.length);
  const sum = [...body].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

function accountOf(payment: SandboxPayment, country: string): string {
  const digits = (count: number) => digitsOf(payment, 'account', count);
  switch (country) {
    case 'DE':
      // A bank code of zeros belongs to nobody.
      return ibanOf('DE', `00000000${digits(10)}`);
    case 'TR':
      return ibanOf('TR', `000000${digits(16)}`);
    case 'AZ':
      return ibanOf('AZ', `SBOX${digits(20)}`);
    case 'KZ':
      return ibanOf('KZ', `000${digits(13)}`);
    case 'BR':
      return `0001 / ${digits(8)}-0`;
    case 'MX':
      return `000000${digits(12)}`;
    case 'NG':
      return `00${digits(8)}`;
    default:
      return `000000${digits(10)}`;
  }
}
