import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { type BuiltStandIn, buildStandIn } from '../../electron/standin/built.ts';
import { Driver, type DriverOptions } from '../../electron/standin/driver.ts';
import { nodeOfElectron, obstacleToRefusal } from '../../electron/standin/node-of-electron.ts';
import { CACHE } from '../../main/support/built.ts';
import { killTrainersOf } from './lab-server.ts';

/** The desktop program on the stand-in for Electron, on a Node that refuses external buffers where one can be made. */
export interface DesktopLab {
  readonly url: string;
  readonly driver: Driver;
  killTrainers(): number;
  close(): Promise<void>;
}

let building: Promise<BuiltStandIn> | null = null;

/** Once for all programs of this process, until it ends. */
function builtOnce(): Promise<BuiltStandIn> {
  building ??= buildStandIn().then((built) => {
    process.once('exit', built.remove);
    return built;
  });
  return building;
}

export async function startDesktopLab(
  browser: Browser,
  options: Partial<Omit<DriverOptions, 'browser' | 'built'>> = { opensLab: false },
): Promise<DesktopLab> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'zigzag-desktop-'));
  const built = await builtOnce();
  const node = obstacleToRefusal() === null ? nodeOfElectron(CACHE) : process.execPath;
  // Windows painted by OpenGL skip the check for a blank page: these tests are not about it.
  const env = { XDG_SESSION_TYPE: 'wayland', ...options.env };
  const driver = new Driver({ node, ...options, env, browser, built, home });
  await driver.start();
  return {
    url: `${driver.lab}/`,
    driver,
    killTrainers: () => killTrainersOf(driver.pid),
    async close() {
      await driver.quit();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
