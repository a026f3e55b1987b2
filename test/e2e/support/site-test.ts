import { test as base, expect } from '@playwright/test';
import { complaints } from './complaints.ts';
import { compared } from './lab-test.ts';
import { type StaticSite, startStaticSite } from './static-site.ts';

interface SiteFixtures {
  /** True when the site lies in a folder of its host. */
  folder: boolean;
  site: StaticSite;
  /** Addresses requested by the page and its workers. Every test fails if one leaves the site or is missing. */
  asked: string[];
  /** Messages that the page wrote as errors: refused by its security policy, thrown, not found. */
  complaints: string[];
  /** Opens a view of the site by its address, without the leading `#/`. */
  open: (view: string, query?: string) => Promise<void>;
  /** Opens a view whose headline is of a comparison, and waits until it is complete. */
  compare: (view: string) => Promise<void>;
}

interface SiteWorker {
  /** The site at the root of a host, and in a folder of it. */
  hosts: readonly [StaticSite, StaticSite];
}

/** Tests against the static site on a plain file server; a browser of its own for each. */
export const test = base.extend<SiteFixtures, SiteWorker>({
  folder: [false, { option: true }],
  hosts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern.
    async ({}, use) => {
      const hosts = [await startStaticSite(), await startStaticSite('/people/somebody/zigzag/')] as const;
      await use(hosts);
      for (const host of hosts) await host.close();
    },
    { scope: 'worker' },
  ],
  site: ({ folder, hosts }, use) => use(hosts[folder ? 1 : 0]),
  asked: [
    async ({ context, site }, use) => {
      const asked: string[] = [];
      context.on('request', (request) => asked.push(request.url()));
      const missing: string[] = [];
      context.on('response', (response) => {
        if (response.status() >= 400) missing.push(response.url());
      });
      await use(asked);
      const foreign = asked.filter((url) => !url.startsWith(site.url) && !/^(?:blob|data):/.test(url));
      expect({ foreign, missing }).toEqual({ foreign: [], missing: [] });
    },
    { auto: true },
  ],
  complaints: [complaints, { auto: true }],
  open: async ({ page, site }, use) => {
    await use(async (view, query = '') => {
      await page.goto(`${site.url}${query}#/${view}`);
    });
  },
  compare: async ({ page, open }, use) => {
    await use(async (view) => {
      await open(view);
      await compared(page);
    });
  },
});

export { expect } from '@playwright/test';
