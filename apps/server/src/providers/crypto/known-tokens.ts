/** The contracts of well-known tokens, so that nobody has to copy an address into the settings. */

export interface TokenContract {
  readonly contract: string;
  readonly decimals: number;
}

/**
 * By chain and coin, as their issuers publish them. On Base, USDT is the form that the bridge of Base issues. On Polygon, USDC is
 * Circle's own and not the older bridged form (USDC.e, `0x2791…4174`), which is another token.
 */
const tokens: Readonly<Record<string, Readonly<Record<string, TokenContract>>>> = {
  ethereum: {
    USDT: { contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
    USDC: { contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
  },
  bsc: {
    USDT: { contract: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
    USDC: { contract: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
  },
  base: {
    USDT: { contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 },
    USDC: { contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  },
  polygon: {
    USDT: { contract: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
    USDC: { contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
  },
  tron: { USDT: { contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6 } },
  solana: {
    USDT: { contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
    USDC: { contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  },
  ton: { USDT: { contract: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', decimals: 6 } },
};

/** Undefined for a token that is not in the list. */
export function knownToken(chain: string, coin: string): TokenContract | undefined {
  const ofChain = Object.hasOwn(tokens, chain) ? tokens[chain] : undefined;
  return ofChain !== undefined && Object.hasOwn(ofChain, coin) ? ofChain[coin] : undefined;
}
