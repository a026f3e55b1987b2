/** Puts the address of this view on the clipboard; says whether that was allowed. */
export async function copyLink(): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    return true;
  } catch {
    return false;
  }
}
