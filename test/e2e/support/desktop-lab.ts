import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { buildStandIn, CACHE } from '../../electron/standin/built.ts';
import { Driver, type DriverOptions } from '../../electron/standin/driver.ts';
import { nodeOfElectron, obstacleToRefusal } from '../../electron/standin/node-of-electron.ts';
import { killTrainersOf } from './lab-server.ts';

/** The desktop program on the stand-in for Electron, on a Node that refuses external buffers where one can be made. */
export interface DesktopLab {
  readonly url: string;
  readonly driver: Driver;
  killTrainers(): number;
  close(): Promise<void>;
}

export async function startDesktopLab(
  browser: Browser,
  options: Partial<Omit<DriverOptions, 'browser' | 'built'>> = { opensLab: false },
): Promise<DesktopLab> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'zigzag-desktop-'));
  const built = await buildStandIn();
  const node = obstacleToRefusal() === null ? nodeOfElectron(CACHE) : process.execPath;
  const driver = new Driver({ node, ...options, browser, built, home });
  await driver.start();
  return {
    url: `${driver.lab}/`,
    driver,
    killTrainers: () => killTrainersOf(driver.pid),
    async close() {
      await driver.quit();
      built.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
