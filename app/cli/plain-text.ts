/**
 * Characters that a terminal obeys instead of showing: all control characters except line breaks and tabs, and those
 * that turn the direction of text. Names come from files, and a file may come from anybody.
 */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/**
 * Text for a terminal, each obeyed character as its escape: `\u001b`, which JSON, JavaScript and Python read as the
 * same character, so that what is exported stays what it was. CRLF stays, as CSV wants it.
 */
export function plainText(text: string): string {
  return text.replace(OBEYED, escaped);
}

/** The same in one line, for a name within a sentence or a table. */
export function plainName(text: string): string {
  return plainText(text).replace(/[\r\n\t]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
