export type LectureMove =
  | 'enter'
  | 'leave'
  | 'leave-field'
  | { readonly of: 'section' | 'lesson'; readonly by: 1 | -1 };

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * L enters and leaves, Escape leaves; Page Down and Page Up, which a presenter's remote sends, turn sections, with Shift
 * lessons. Null for keys without a meaning there; what is typed into a field is never one.
 */
export function lectureKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: Press,
  isOn: boolean,
  isTyping: boolean,
): LectureMove | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Escape') return !isOn ? null : isTyping ? 'leave-field' : 'leave';
  if (key === 'PageDown' || key === 'PageUp') {
    if (!isOn) return null;
    return { of: shiftKey ? 'lesson' : 'section', by: key === 'PageDown' ? 1 : -1 };
  }
  if (isTyping || key.toLowerCase() !== 'l') return null;
  return isOn ? 'leave' : 'enter';
}
