/** Replacements for signs that the standard fonts lack; they read the same. */
const SAME: Readonly<Record<string, string>> = {
  '\u2009': '\u00a0',
  '\u202f': '\u00a0',
  '\u2002': '\u00a0',
  '−': '–',
  '→': '->',
  '≤': '<=',
  '≥': '>=',
  '≈': '~',
  μ: 'µ',
  '‑': '-',
  '✓': 'yes',
  '✗': 'no',
};

/** Windows' code page 1252 beyond Latin-1. */
const WINDOWS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** A text with the same meaning in the letters of PDF's standard fonts, as far as there is one. */
export const standardText = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/√([A-Za-z0-9]+)/g, 'sqrt($1)')
      .replaceAll('√', 'sqrt'),
  ]
    .map((sign) => SAME[sign] ?? sign)
    .join('');

export const unwritable = (text: string): string =>
  [...new Set(text)].filter((sign) => !/[\s -~\u00a0-\u00ff]/.test(sign) && !WINDOWS.includes(sign)).join('');
