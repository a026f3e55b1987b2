/** Bytes of an element of float16 and bfloat16. */
export const HALF = 2;
/** Bytes of an element of float32. */
export const FLOAT32 = 4;
