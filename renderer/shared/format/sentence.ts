/** The lab's messages as sentences: a capital at the start, a full stop at the end. */
export function asSentence(message: string): string {
  const text = message.trim();
  if (text === '') return 'The lab reported an error without a message.';
  const start = /^[a-z]+[:_[]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

/** A label within a sentence: it starts small, but for a name such as `GPUs` or `LoRA rank`. */
export const withinSentence = (label: string): string =>
  /^[A-Z][a-z]+\b/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
