import { type CutoffSums, percentOf } from './early-view.ts';

/** Why a theoretical cut-off is not the printed integer. Data, which the page and the command line word. */
export type TheoryCause =
  /** Our own design: there is no network to compare with. */
  | { readonly kind: 'figure-only' }
  | {
      /** The printed integer is that of the same graph without the source. */
      readonly kind: 'source-left-out';
      readonly printedPct: number;
      /** The cut-off without the source, in percent. */
      readonly withoutPct: number;
      /** Bytes of the source, one sample. */
      readonly sourceBytes: number;
      /** With the source: by how many bytes a sample the optimum is dearer than the printed integer allows. */
      readonly excessBytes: number;
    };

/** True if the cut-off rounds to the printed integer. */
export const isAsPrinted = (sums: CutoffSums, printedPct: number): boolean =>
  Math.round(percentOf(sums)) === printedPct;

/**
 * Causes of a row, computed from its graph: nothing where the cut-off is as printed or no convention gives
 * the printed integer.
 *
 * @param counted sums with the source
 * @param without those of the same graph without it
 */
export function theoryCauses(
  network: string,
  printedPct: number,
  counted: CutoffSums,
  without: CutoffSums,
): readonly TheoryCause[] {
  if (network === 'customnet') return [{ kind: 'figure-only' }];
  if (isAsPrinted(counted, printedPct) || !isAsPrinted(without, printedPct)) return [];
  return [
    {
      kind: 'source-left-out',
      printedPct,
      withoutPct: percentOf(without),
      sourceBytes: counted.whole - without.whole,
      excessBytes: excess(counted, printedPct),
    },
  ];
}

/** The cost less the nearest one whose cut-off rounds to the printed integer; negative where it is too small. */
function excess({ cost, whole }: CutoffSums, printedPct: number): number {
  const edgePct = cost > (1 - printedPct / 100) * whole ? printedPct - 0.5 : printedPct + 0.5;
  return cost - (1 - edgePct / 100) * whole;
}
