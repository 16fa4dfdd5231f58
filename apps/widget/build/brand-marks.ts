/**
 * Real marks of brands (NET-7), from Simple Icons, whose drawings are free of copyright (CC0). The names and shapes stay their
 * owners' trade marks: they only say by what one pays. A brand that is not there, or too heavy there, has a drawing of our own.
 */
import {
  type SimpleIcon,
  siAlipay,
  siBinance,
  siBitcoin,
  siDinersclub,
  siDiscover,
  siDogecoin,
  siEthereum,
  siGooglepay,
  siJcb,
  siLightning,
  siLitecoin,
  siMastercard,
  siPaypal,
  siPaytm,
  siPhonepe,
  siPicpay,
  siPix,
  siPolygon,
  siQiwi,
  siSepa,
  siSolana,
  siTether,
  siTon,
  siVisa,
  siWebmoney,
} from 'simple-icons';

/** Of cards, wallets and ways to transfer; `_` parts the words of an id. */
const brands: Readonly<Record<string, SimpleIcon>> = {
  alipay: siAlipay,
  diners_club: siDinersclub,
  discover: siDiscover,
  google_pay: siGooglepay,
  gpay: siGooglepay,
  jcb: siJcb,
  mastercard: siMastercard,
  pay_pal: siPaypal,
  paytm: siPaytm,
  phone_pe: siPhonepe,
  pic_pay: siPicpay,
  pix: siPix,
  qiwi: siQiwi,
  sepa: siSepa,
  visa: siVisa,
  web_money: siWebmoney,
};

/** Of coins. Most are a disc with their sign cut out of it. */
const coins: Readonly<Record<string, SimpleIcon>> = {
  bnb: siBinance,
  btc: siBitcoin,
  doge: siDogecoin,
  eth: siEthereum,
  lightning: siLightning,
  ltc: siLitecoin,
  pol: siPolygon,
  sol: siSolana,
  ton: siTon,
  usdt: siTether,
};
const cutOut: ReadonlySet<SimpleIcon> = new Set([siBitcoin, siDogecoin, siLitecoin, siTon]);

/** Every mark by its id in each of its spellings: `pay_pal` is `pay-pal` and `paypal`, too. */
export function brandMarks(): Map<string, string> {
  const marks = new Map<string, string>();
  for (const [id, icon] of Object.entries(brands)) {
    for (const spelt of [id, id.replaceAll('_', '-'), id.replaceAll('_', '')]) marks.set(spelt, tile(icon));
  }
  for (const [id, icon] of Object.entries(coins)) marks.set(id, disc(icon));
  return marks;
}

const drawing = (parts: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 28">${parts}</svg>`;

/** On the brand's own colour, so that it is seen in the light and in the dark. */
function tile({ hex, path }: SimpleIcon): string {
  return drawing(
    `<rect width="40" height="28" fill="#${hex}"/><path fill="${inkOn(hex)}" transform="translate(11 5) scale(.75)" d="${path}"/>`,
  );
}

function disc(icon: SimpleIcon): string {
  const { hex, path } = icon;
  if (cutOut.has(icon)) {
    return drawing(
      `<circle cx="20" cy="14" r="11" fill="#fff"/><path fill="#${hex}" transform="translate(8 2)" d="${path}"/>`,
    );
  }
  return drawing(
    `<circle cx="20" cy="14" r="12" fill="#${hex}"/><path fill="${inkOn(hex)}" transform="translate(12.8 6.8) scale(.6)" d="${path}"/>`,
  );
}

/** White, or nearly black where the colour is light. */
function inkOn(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 160 ? '#1a1a1a' : '#fff';
}
