export const LINK_NOT_COPIED = 'The browser refused to copy the link.';

/** Puts a text on the clipboard; says whether that was allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
