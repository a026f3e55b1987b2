import { parseBytes as parse } from '../../../engine/bytes.ts';

export type ParsedBytes = { readonly bytes: number } | { readonly error: string };

/** Reads `2.5 GiB`, `800MiB`, `1.5 gb`. A number alone is refused: nobody knows in which unit it was meant. */
export function parseBytes(text: string, label: string): ParsedBytes {
  const bytes = parse(text);
  if (bytes !== null) return { bytes };
  return { error: `${label} must be an amount with its unit, such as 2.5 GiB or 800 MiB.` };
}
