/**
 * Marks for brands without a free drawing (`brand-marks.ts`), because a list shows no bare letters (NET-7). The build draws two
 * to four letters of the name in the colour of their kind. The ids are those by which catalogues usually call these banks, cards,
 * wallets and apps.
 */

/** The colours of the drawings of the same kinds. */
const colours = { bank: '#4a7fd6', card: '#7a6be0', wallet: '#b7791f', app: '#9a62d8' } as const;

type Kind = keyof typeof colours;

/** Letters by id. What parts an id in the field, `_` or `-` or nothing, makes no difference: see {@link monograms}. */
const letters: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  card: {
    ...{ maestro: 'MAES', amex: 'AMEX', union_pay: 'UP', rupay: 'RUP', elo: 'ELO' },
    ...{ mir: 'MIR', troy: 'TROY', uzcard: 'UZC', humo: 'HUMO', elcart: 'ELC', korti_milli: 'KM', verve: 'VRV' },
  },
  app: {
    ...{ bhim: 'BHIM', amazon_pay: 'AP', apple_pay: 'AP' },
    ...{ sbp: 'SBP', payme: 'PME', click: 'CLK', kaspi: 'KSP', m10: 'M10', mbank: 'MB' },
  },
  wallet: {
    ...{ skrill: 'SKR', neteller: 'NET', yoo_money: 'YM', papara: 'PAP' },
    ...{ bkash: 'BK', nagad: 'NGD', rocket: 'RKT', upay: 'UPAY', o_pay: 'OP', palm_pay: 'PALM', mercado_pago: 'MP' },
    ...{ m_pesa: 'MPS', alif: 'ALIF', gcash: 'GC', oxxo: 'OXXO', mobikwik: 'MK' },
  },
  bank: {
    // Nigeria.
    ...{
      access_bank: 'ACC',
      citibank: 'CITI',
      ecobank: 'ECO',
      fair_money: 'FM',
      fidelity_bank: 'FID',
      first_bank: 'FBN',
    },
    ...{ fcmb: 'FCMB', globus_bank: 'GLO', gt_bank: 'GTB', jaiz_bank: 'JAIZ', keystone_bank: 'KEY', kuda: 'KUDA' },
    ...{ lotus_bank: 'LOT', moniepoint: 'MNP', optimus_bank: 'OPT', parallex_bank: 'PRX', polaris_bank: 'POL' },
    ...{
      premium_trust_bank: 'PTB',
      providus_bank: 'PRV',
      signature_bank: 'SIG',
      stanbic_ibtc: 'IBTC',
      sun_trust_bank: 'SUN',
    },
    ...{ standard_chartered: 'SC', sterling_bank: 'STER', taj_bank: 'TAJ', titan_trust_bank: 'TTB', union_bank: 'UBN' },
    ...{ uba: 'UBA', unity_bank: 'UNI', wema_bank: 'WEMA', zenith_bank: 'ZEN' },
    // India.
    ...{ sbi: 'SBI', hdfc: 'HDFC', icici: 'ICI', axis: 'AXIS', kotak: 'KTK', pnb: 'PNB' },
    // Russia and Central Asia.
    ...{
      sber: 'SB',
      sberbank: 'SB',
      t_bank: 'T',
      tinkoff: 'T',
      vtb: 'VTB',
      alfa_bank: 'ALFA',
      halyk: 'HAL',
      optima: 'OPTM',
    },
    // Brazil.
    ...{ nubank: 'NU', itau: 'ITAU', bradesco: 'BRA', santander: 'SAN', banco_do_brasil: 'BB', caixa: 'CEF' },
  },
};

/** Every mark by its id, and by the id without what parts it: `gt_bank` is `gt-bank` and `gtbank`, too. */
export function monograms(): Map<string, string> {
  const drawings = new Map<string, string>();
  for (const kind of Object.keys(colours) as Kind[]) {
    for (const [id, text] of Object.entries(letters[kind])) {
      const drawing = monogram(text, colours[kind]);
      for (const spelt of [id, id.replaceAll('_', '-'), id.replaceAll('_', '')]) drawings.set(spelt, drawing);
    }
  }
  return drawings;
}

function monogram(text: string, colour: string): string {
  const size = [12, 12, 11, 9, 7.6][text.length] ?? 7.6;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 28"><g fill="${colour}">` +
    '<rect x="4" y="3" width="32" height="22" rx="5" fill-opacity=".18"/>' +
    `<text x="20" y="14" dy=".36em" font-family="system-ui,sans-serif" font-size="${size}" font-weight="700" ` +
    `text-anchor="middle">${text}</text></g></svg>`
  );
}
