/** A share of 1: no decimals unless below 10. */
export function percent(share: number): string {
  const value = share * 100;
  const text = value.toFixed(Math.abs(value) < 9.95 && value !== 0 ? 1 : 0);
  return `${text.replace('-', '\u2212')} %`;
}

export const signedPercent = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`;

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}
