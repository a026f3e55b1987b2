import type { Page } from '@playwright/test';
import { snapshotFile } from '../../support/snapshots.ts';
import { drop } from './drop.ts';
import { compared, expect } from './lab-test.ts';

/** A view of the lab, or of what is over it, as a visitor comes to it. */
export interface Stop {
  readonly name: string;
  /** Address of the view, without `#/`; the one before where it is absent. */
  readonly view?: string;
  readonly ready: (page: Page) => Promise<void>;
  /** True when a dialog covers the screen; then only the dialog is checked. */
  readonly isDialog?: boolean;
  /** True when axe takes a minute over it; the other tables are made of the same parts. */
  readonly isLarge?: boolean;
}

const STRATEGIES = 'strategies=regular,chen-sqrt,random,optimal,live,budget';
const EXPERIMENT = `model=resnet18&batch=8&input=64&${STRATEGIES}`;

function saying(sentence: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await expect(page.locator('h1')).toContainText(sentence);
    await expect(page.locator('h1[aria-busy="true"]')).toHaveCount(0);
  };
}

async function dialog(page: Page, name: RegExp): Promise<void> {
  await expect(page.getByRole('dialog', { name })).toBeVisible();
}

/** Through the palette: a phone's bar has no room for their buttons. */
async function byName(page: Page, action: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(action);
  await page.keyboard.press('Enter');
}

/** Every screen and what opens over it. A dialog is left by Escape before the next stop. */
export const WALK: readonly Stop[] = [
  {
    name: 'compare',
    view: `compare?${EXPERIMENT}`,
    ready: async (page) => {
      await compared(page);
      await expect(page.getByTestId('pareto').locator('svg').first()).toBeVisible();
    },
  },
  {
    name: 'torch',
    isDialog: true,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions on Live', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Use in PyTorch…' }).click();
      await dialog(page, /in PyTorch$/);
      await expect(page.getByRole('dialog').getByRole('status')).toContainText('peaks at');
    },
  },
  {
    name: 'figure',
    isDialog: true,
    ready: async (page) => {
      await page.getByRole('button', { name: /^Save the chart Live memory/ }).click();
      await page.getByRole('menuitem', { name: 'Figure for print' }).click();
      await dialog(page, /^Figure for print$/);
    },
  },
  {
    name: 'compare-measured',
    ready: async (page) => {
      await drop(page, 'snapshot.pickle', snapshotFile('resnet18-stacks'));
      await expect(page.getByTestId('measured-file').getByRole('status')).toContainText('allocated at');
    },
  },
  {
    name: 'compare-networks',
    view: `compare?model=resnet18&batch=8&input=64&also=vgg11,tiny-residual@2&strategies=regular,chen-sqrt,optimal`,
    ready: async (page) => {
      await compared(page);
      const matrix = page.getByRole('region', { name: 'Networks', exact: true });
      await expect(matrix).toContainText('saves most on');
    },
  },
  {
    name: 'graph',
    view: `graph?${EXPERIMENT}`,
    ready: async (page) => {
      await saying(/tensors joined by/)(page);
      await expect(page.getByTestId('graph-canvas').locator('[data-ring="optimal"]').first()).toBeAttached();
    },
  },
  { name: 'tables', view: `tables?${EXPERIMENT}&v.table=theory`, ready: saying(/Solved in/) },
  { name: 'tables-iclr', view: `tables?${EXPERIMENT}`, ready: saying(/cut-offs/), isLarge: true },
  { name: 'limits', view: `limits?${EXPERIMENT}`, ready: saying(/batch/) },
  { name: 'lesson', view: `learn?${EXPERIMENT}&v.lesson=sqrt&v.k=6`, ready: saying(/./) },
  { name: 'glossary', view: `learn?${EXPERIMENT}&v.lesson=glossary`, ready: saying(/./) },
  { name: 'levels', view: 'learn?v.lesson=game', ready: saying(/^The checkpoint game$/) },
  {
    name: 'game',
    view: 'graph?model=game-branch&batch=32&strategies=regular&v.panel=game',
    ready: async (page) => {
      const peak = page.locator('[data-measure="peak"]');
      await expect(peak).toBeVisible();
      await expect(peak).not.toContainText('…');
    },
  },
  { name: 'train', view: `train?${EXPERIMENT}`, ready: saying(/./) },
  {
    name: 'about',
    isDialog: true,
    ready: async (page) => {
      await byName(page, 'About Zigzag');
      await dialog(page, /^About Zigzag$/);
    },
  },
  {
    name: 'keys',
    isDialog: true,
    ready: async (page) => {
      await byName(page, 'Keyboard shortcuts');
      await dialog(page, /^Keyboard shortcuts$/);
    },
  },
];
