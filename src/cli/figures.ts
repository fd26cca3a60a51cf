/** 1 234 567 → "1.23M". */
export function tokensShort(tokens: number): string {
  return tokens >= 1e6 ? `${(tokens / 1e6).toFixed(2)}M` : `${(tokens / 1e3).toFixed(1)}K`;
}

export function dollarsText(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}
