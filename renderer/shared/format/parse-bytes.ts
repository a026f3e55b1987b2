import { BYTE_UNITS } from '../../../engine/format-bytes.ts';

export type ParsedBytes = { readonly bytes: number } | { readonly error: string };

/** Reads `2.5 GiB`, `800MiB`, `1.5 gb`. A number alone is refused: nobody knows in which unit it was meant. */
export function parseBytes(text: string, label: string): ParsedBytes {
  const match = /^(\d+(?:[.,]\d+)?)\s*([a-z]+)$/i.exec(text.replace(/[\u202f\u00a0]/g, ' ').trim());
  const factor = BYTE_UNITS[(match?.[2] ?? '').toLowerCase()];
  if (match !== null && factor !== undefined) {
    const bytes = Math.floor(Number((match[1] ?? '').replace(',', '.')) * factor);
    if (bytes > 0 && Number.isSafeInteger(bytes)) return { bytes };
  }
  return { error: `${label} must be an amount with its unit, such as 2.5 GiB or 800 MiB.` };
}

/** The shortest exact way to write it: `2.5 GiB` where that is what it is, else whole bytes with their unit. */
export function writeBytes(bytes: number): string {
  for (const [unit, factor] of [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
  ] as const) {
    const text = String(Number((bytes / factor).toFixed(2)));
    if (Number(text) > 0 && Math.floor(Number(text) * factor) === bytes) return `${text} ${unit}`;
  }
  return `${bytes} B`;
}
