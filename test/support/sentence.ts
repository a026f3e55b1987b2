/**
 * True when a terminal can print a refusal: one line, nothing invisible, no place named twice, nothing of JavaScript.
 */
export function isSentence(message: string): boolean {
  return (
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{8,1000}$/u.test(message) &&
    !/\[object |\b(?:undefined|NaN|Infinity)\b|^(.{2,}): \1: /.test(message)
  );
}
