/** Characters that end, hide or turn a line: control and format characters, separators, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const MAX_LENGTH = 1000;
const MAX_NAME_LENGTH = 60;

/** A sentence as one line that any terminal may print, whatever names from a file it quotes. */
export function oneLine(text: string): string {
  const line = text.replace(UNSEEN, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 3)}...` : line;
}

/** A name from a file, short enough for a sentence. */
export function clipped(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 3)}...` : name;
}
