import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/lab-test.ts';
import { type Screen, SCREENS } from './support/screens.ts';

const EXPERIMENT = 'model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal,live';

async function settled(page: Page, { ready }: Screen): Promise<void> {
  await expect(page.locator('h1')).toContainText(ready);
  await expect(page.locator('h1[aria-busy="true"]')).toHaveCount(0);
}

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const screen of SCREENS) {
    test(`${screen.id} is accessible, also behind the palette and a dialog`, async ({ page, open }) => {
      await open(`${screen.id}?${EXPERIMENT}${screen.view ?? ''}`);
      await settled(page, screen);
      await expectAccessible(page);
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await expectAccessible(page, '[role="dialog"]');
    });
  }
});

test('Compare is accessible while it solves', async ({ page, open }) => {
  // Its own limit lets the search go on for minutes.
  await open(
    'compare?model=two-towers-crossed&batch=16&strategies=regular,optimal,milp&budgetBytes=3538944&timeLimitSeconds=600',
  );
  await expect(page.locator('path[data-curve="optimal"]').first()).toBeAttached();
  await expectAccessible(page);
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
});

test('Limits is accessible while it solves', { tag: '@socket' }, async ({ page, open }) => {
  let isHeld = false;
  await page.routeWebSocket(/\/lab$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => isHeld || socket.send(message));
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open('limits?model=resnet152&batch=32&strategies=regular,optimal,live,budget');
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await expect(cancel).toBeVisible();
  // Answers of the solver no longer arrive: the screen stays as it is.
  isHeld = true;
  await expectAccessible(page);
  await expect(cancel).toBeVisible();
});

test('Tab follows the reading order with a visible focus', async ({ page, open }) => {
  for (const screen of SCREENS.filter(({ id }) => id !== 'learn')) {
    await open(`${screen.id}?${EXPERIMENT}${screen.view ?? ''}`);
    await settled(page, screen);
    await page.locator('body').evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Skip to the content' })).toBeFocused();
    const regions: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const finish = (): void => {
          for (const animation of document.getAnimations()) animation.finish();
        };
        finish();
        const style = getComputedStyle(element);
        const own = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
        const around = [...document.querySelectorAll(':focus-within')].some((near) => {
          const { outlineStyle, boxShadow } = getComputedStyle(near);
          return outlineStyle !== 'none' || boxShadow !== 'none';
        });
        const border = style.borderColor;
        (element as HTMLElement).blur();
        finish();
        const isMarked = own || around || border !== getComputedStyle(element).borderColor;
        (element as HTMLElement).focus();
        const region = element.closest('nav, header, main')?.tagName ?? '';
        return { region, isMarked, html: element.outerHTML.slice(0, 120) };
      });
      if (at === null) break;
      expect(at.isMarked, `${screen.id}: ${at.html}`).toBe(true);
      if (regions.at(-1) !== at.region) regions.push(at.region);
      if (at.region === 'MAIN') break;
    }
    expect(regions, screen.id).toEqual(['NAV', 'HEADER', 'MAIN']);
    await page.goto('about:blank');
  }
});

test('letters typed right after the palette’s key are not lost', async ({ page, open }) => {
  await open(`limits?${EXPERIMENT}`);
  await settled(page, SCREENS[3]!);
  const typed = await page.evaluate(() => {
    const press = (key: string, ctrlKey = false): void => {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
    };
    press('k', true);
    return new Promise<string>((resolve) => {
      // The next task, as a key pressed at once would be.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(document.activeElement?.getAttribute('role') ?? '');
      channel.port2.postMessage(null);
    });
  });
  expect(typed).toBe('combobox');
});
