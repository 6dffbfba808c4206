/** A decimal as a whole number and how many of its digits stand behind the point. */
export interface Fixed {
  readonly scaled: bigint;
  readonly decimals: number;
}

/** The decimal `scaled / 10^decimals`. */
export function fixed(scaled: number, decimals: number): Fixed {
  return { scaled: BigInt(scaled), decimals };
}

/** Half away from zero, as invoices are rounded. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor / 2n : divisor / 2n;
  return (dividend + half) / divisor;
}

/** Rounds to fewer decimals. */
export function round({ scaled, decimals }: Fixed, to: number): Fixed {
  return { scaled: divide(scaled, 10n ** BigInt(decimals - to)), decimals: to };
}

/** The decimal as plain text, without needless zeros. */
export function print({ scaled, decimals }: Fixed): string {
  const negative = scaled < 0n;
  const digits = (negative ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals).replace(/0+$/, '')];
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}
