const SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '√': '$\\surd$',
  '×': '$\\times$',
  '−': '$-$',
  '±': '$\\pm$',
  '·': '$\\cdot$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '≈': '$\\approx$',
  '→': '$\\to$',
  µ: '$\\mu$',
  μ: '$\\mu$',
  '°': '$^\\circ$',
  '²': '$^2$',
  '³': '$^3$',
  '✓': '$\\checkmark$',
  '✗': '$\\times$',
  '’': "'",
  '‘': '`',
  '“': '``',
  '”': "''",
  '–': '--',
  '—': '---',
  '…': '\\dots{}',
  '\u00a0': '~',
  '\u202f': '\\,',
  '\u2009': '\\,',
  ß: '{\\ss}',
  ø: '{\\o}',
  Ø: '{\\O}',
  æ: '{\\ae}',
  Æ: '{\\AE}',
  ł: '{\\l}',
  Ł: '{\\L}',
  ı: '{\\i}',
};

/** LaTeX's accents by the combining sign that Unicode takes a letter apart into. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': "'",
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '=',
  '\u0306': 'u',
  '\u0307': '.',
  '\u0308': '"',
  '\u030a': 'r',
  '\u030b': 'H',
  '\u030c': 'v',
  '\u0327': 'c',
  '\u0328': 'k',
};

/**
 * A text as LaTeX sets it, in ASCII, so that no package and no engine decides which letters there are. What has no
 * such writing, a Chinese name for one, stands as its code point, `[U+4E2D]`: pdflatex would stop at it.
 */
export function latexText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/"([^"]*)"/g, '“$1”')
    .replace(TOKEN, (token, base?: string, power?: string) =>
      power === undefined ? sign(token) : `$${base}^{${power}}$`,
    );
}

/** A power of ten or two, or one letter. */
const TOKEN = /(\d+)\^(\d+)|./gsu;

function sign(letter: string): string {
  const known = SIGNS[letter];
  if (known !== undefined) return known;
  if (/[&%$#_{}]/.test(letter)) return `\\${letter}`;
  if (/[ -~]/.test(letter)) return letter;
  if (/\s|\p{Cc}/u.test(letter)) return ' ';
  const [base = '', accent = '', ...rest] = [...letter.normalize('NFD')];
  const command = ACCENTS[accent];
  if (command !== undefined && rest.length === 0 && /[A-Za-z]/.test(base)) {
    return `{\\${command}${/[a-z]/i.test(command) ? ' ' : ''}${base}}`;
  }
  return `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
