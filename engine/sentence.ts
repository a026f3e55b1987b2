/** What would end, hide or turn a line: control and format characters, line separators, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const MOST = 1000;
const MOST_OF_A_NAME = 60;

/** A sentence as one line that any terminal may print, whatever names from a file it quotes. */
export function oneLine(text: string): string {
  const line = text.replace(UNSEEN, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return line.length > MOST ? `${line.slice(0, MOST - 3)}...` : line;
}

/** A name from a file, short enough for a sentence. */
export function clipped(name: string): string {
  return name.length > MOST_OF_A_NAME ? `${name.slice(0, MOST_OF_A_NAME - 3)}...` : name;
}
