import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/desktop-test.ts';
import { compared } from '../support/lab-test.ts';

test.skip(process.platform !== 'linux', 'only Linux paints with Vulkan for WebGPU');

const X11 = { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: '' };
const isVulkan = (switches: Readonly<Record<string, string>>): boolean =>
  (switches['enable-features'] ?? '').split(',').includes('Vulkan');

test('a start that paints nothing with Vulkan restarts without it, as does every later start', async ({
  start,
}) => {
  const paints = (switches: Readonly<Record<string, string>>): boolean => !isVulkan(switches);
  const driver = await start({ env: X11, paints });
  expect(isVulkan((await driver.state()).switches)).toBe(true);
  await new Promise<void>((resolve) => driver.once('launch', resolve));
  await compared((await driver.labWindow()).page);
  expect(isVulkan((await driver.state()).switches)).toBe(false);
  expect(await driver.quit()).toBe(0);
  expect(driver.launches).toBe(2);

  const next = await start({ env: X11, paints });
  await compared((await next.labWindow()).page);
  expect(isVulkan((await next.state()).switches)).toBe(false);
  expect(next.launches).toBe(1);
});

test('a start killed before it painted is the last one with Vulkan', async ({ start }) => {
  const driver = await start({ env: X11, paints: () => false });
  await driver.labWindow();
  await driver.kill();
  const next = await start({ env: X11 });
  expect(isVulkan((await next.state()).switches)).toBe(false);
});

test('Vulkan stays on if it paints', async ({ start, home }) => {
  for (let time = 0; time < 2; time++) {
    const driver = await start({ env: X11 });
    expect(isVulkan((await driver.state()).switches)).toBe(true);
    await compared((await driver.labWindow()).page);
    await expect.poll(() => outcomeIn(home)).toBe('painted');
    expect(await driver.quit()).toBe(0);
    expect(driver.launches).toBe(1);
  }
});

function outcomeIn(home: string): unknown {
  return JSON.parse(readFileSync(join(home, '.config', 'Zigzag', 'vulkan.json'), 'utf8')).outcome;
}
