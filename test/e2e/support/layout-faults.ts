import type { Page } from '@playwright/test';

/**
 * Layout faults of a page in its window: where it scrolls sideways, what hangs out of the window without a
 * scroller around it, which texts lie over each other, and which controls nothing can press.
 *
 * @param within a selector of what lies on top, of which alone is looked at
 */
export async function layoutFaults(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((selector) => {
    const root = [...document.querySelectorAll(selector)].at(-1) ?? document.body;
    const faults: string[] = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > window.innerWidth) faults.push(`the page is ${wide} pixels wide`);
    const main = document.querySelector('main');
    if (main !== null && main.scrollWidth > main.clientWidth) faults.push('the screen scrolls sideways');

    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;
    /** The part of a box that can be seen within what cuts it off. */
    const seen = (within: Element | null, box: DOMRect): DOMRect | null => {
      let { left, right, top, bottom } = box;
      for (let around = within; around !== null; around = around.parentElement) {
        const { overflowX, overflowY, clipPath } = getComputedStyle(around);
        if (clipPath !== 'none' && around.clientWidth <= 1) return null;
        if (around === document.body) break;
        const { left: l, right: r, top: t, bottom: b } = around.getBoundingClientRect();
        if (overflowX !== 'visible') [left, right] = [Math.max(left, l), Math.min(right, r)];
        if (overflowY !== 'visible') [top, bottom] = [Math.max(top, t), Math.min(bottom, b)];
      }
      return right - left < 2 || bottom - top < 2 ? null : new DOMRect(left, top, right - left, bottom - top);
    };
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

    const texts: { box: DOMRect; parent: Element; text: string }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || !node.textContent?.trim() || !isShown(parent)) continue;
      // The drawing of a graph is zoomed; a text that scrolls under a heading that stays is no fault.
      if (parent.closest('.react-flow, style, script, noscript, option, nav, [data-layout="free"]')) continue;
      if (parent.closest('th')?.matches(':first-child')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const box = seen(parent, line);
        if (box === null) continue;
        if (box.right > window.innerWidth + 1) faults.push(`"${node.textContent.trim()}" hangs out`);
        texts.push({ box, parent, text: node.textContent.trim().slice(0, 40) });
      }
    }
    texts.forEach((one, i) => {
      for (const other of texts.slice(i + 1)) {
        if (one.parent === other.parent) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // Boxes of lines are higher than their letters.
        if (across > 2 && down > 5) faults.push(`"${one.text}" lies over "${other.text}"`);
      }
    });

    const controls = root.querySelectorAll('button, a[href], input, select, [role="slider"], [role="tab"]');
    for (const control of controls) {
      if (!isShown(control) || control.closest('.react-flow') || control.matches(':disabled')) continue;
      const style = getComputedStyle(control);
      // Skips controls shown only on focus, and inputs that their label stands for.
      if (style.position === 'absolute' && control.textContent === 'Skip to the content') continue;
      const target = control.matches('input[type="radio"], input[type="checkbox"]')
        ? ((control as HTMLInputElement).labels?.[0] ?? control)
        : control;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const whole = target.getBoundingClientRect();
      if (whole.width === 0) continue;
      const box = seen(target.parentElement, whole);
      if (box === null || box.left < -1 || box.right > window.innerWidth + 1 || box.bottom < 0) {
        faults.push(`${name(control)} cannot be reached`);
        continue;
      }
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (hit !== null && !target.contains(hit) && !hit.contains(target) && !hit.closest('[role="slider"]'))
        faults.push(`${name(control)} is covered by ${name(hit)}`);
      const isInText = style.display === 'inline' || control.closest('p, td, th, legend, small, dd') !== null;
      const own = control.getBoundingClientRect();
      const small = Math.min(Math.max(whole.width, own.width), Math.max(whole.height, own.height));
      if (!isInText && small < 24)
        faults.push(`${name(control)} is ${Math.round(whole.width)} by ${Math.round(whole.height)} pixels`);
    }
    window.scrollTo(0, 0);
    return [...new Set(faults)];
  }, within);
}
