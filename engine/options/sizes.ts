/** The largest batch and the largest side of an input, or tokens of a sequence, that may be asked for. */
export const MAX_BATCH = 65536;
export const MAX_INPUT = 131_072;
/** A network learns nothing with more dropout. */
export const MAX_DROPOUT = 0.95;
