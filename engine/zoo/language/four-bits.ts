import type { Stored } from '../../graph/frozen.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';

/** bitsandbytes: weights that share a scale, and scales that share one of theirs. */
const BLOCK = 64;
const BLOCK_OF_SCALES = 256;
/** Values of the 16 codes, and the mean that is taken off the scales before they are quantised; float32. */
const CODES_AND_MEAN = (16 + 1) * FLOAT32;

/**
 * A weight as `bitsandbytes.functional.quantize_4bit(quant_type='nf4', compress_statistics=True)` stores it (Dettmers et
 * al. 2023, sections 3 and 4): half a byte a weight, a byte for the scale of each 64, and a float32 for each 256 of those.
 * The table of scales' codes is one for all. A product unpacks the weight into the type that it computes in, and the
 * scales into float32, forward and backward.
 *
 * @param beside bytes of the bias
 */
export function inFourBits(elements: number, element: number, beside: number): Stored {
  const scales = Math.ceil(elements / BLOCK);
  return {
    bytes:
      Math.ceil(elements / 2) +
      scales +
      FLOAT32 * Math.ceil(scales / BLOCK_OF_SCALES) +
      CODES_AND_MEAN +
      beside,
    unpackedBytes: elements * element + scales * FLOAT32,
  };
}
