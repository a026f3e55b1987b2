import type { Page } from '@playwright/test';

/** Drops a file on the window. */
export async function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await page.evaluate(
    ({ base64, name: given }) => {
      const binary = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([binary], given));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { base64: Buffer.from(bytes).toString('base64'), name },
  );
}
