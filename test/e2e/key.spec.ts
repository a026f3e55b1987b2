import { compared, expect, test } from './support/lab-test.ts';
import { startLab } from './support/lab-server.ts';

const VIEW = '#/compare?model=chain-8&batch=8&strategies=regular,optimal';

test('the key leaves the address before the first request, and a reload continues', async ({ page, lab }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let addressAtExchange = '';
  await page.route('**/session', async (route) => {
    addressAtExchange = page.url();
    await route.continue();
  });
  await page.goto(lab.url + VIEW);
  await compared(page);
  expect(new URL(addressAtExchange).search).toBe('');
  expect(new URL(page.url()).search).toBe('');
  const kept = () =>
    page.evaluate(() => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]));
  expect(await kept()).not.toContain(new URL(lab.url).searchParams.get('token'));
  await page.reload();
  await compared(page);
  expect(asked.filter((path) => path === '/session')).toHaveLength(1);
  await page.goto('about:blank');
  await page.goBack();
  await compared(page);
  expect(new URL(page.url()).search).toBe('');
});

test('a browser is started with a one-time key', async ({ page, browser, complaints }) => {
  const lab = await startLab({ open: true });
  try {
    await page.goto(lab.opened + VIEW);
    await compared(page);
    await page.reload();
    await compared(page);
    // A copied link in a second tab.
    const tab = await page.context().newPage();
    await tab.goto(new URL(VIEW, page.url()).href);
    await compared(tab);
    await tab.close();
    // Who reads the command line later gets nothing, and tells that there was somebody.
    const thief = await (await browser.newContext()).newPage();
    const refused = thief.waitForResponse((response) => response.url().endsWith('/session'));
    await thief.goto(lab.opened + VIEW);
    expect((await refused).status()).toBe(403);
    await expect(thief.getByRole('alert').getByText(/^No access: /)).toBeVisible();
    await thief.context().close();
    // The first page is dropped with it; what was printed still opens the lab.
    await page.goto(lab.url + VIEW);
    await compared(page);
    // It would look for the lab that is closed now.
    await page.goto('about:blank');
    complaints.length = 0;
  } finally {
    await lab.close();
  }
});

test('a page without a key is told that it has no access, and a tab finds its way back after a restart', async ({
  page,
  browser,
  complaints,
}) => {
  const first = await startLab({ keepsData: true });
  const stranger = await (await browser.newContext()).newPage();
  const sockets: string[] = [];
  stranger.on('websocket', (socket) => sockets.push(socket.url()));
  await stranger.goto(new URL(VIEW, first.url.replace(/\?.*$/, '')).href);
  await expect(stranger.getByRole('alert').getByText(/^No access: .*Open the address/)).toBeVisible();
  await expect(stranger.getByRole('button')).toHaveText(['Try again']);
  expect(sockets).toEqual([]);
  await stranger.context().close();

  await page.goto(first.url + VIEW);
  await compared(page);
  await first.close();
  await expect(page.getByText('The connection to the lab was lost')).toBeVisible();
  const second = await startLab({ data: first.data });
  try {
    expect(second.url).toBe(first.url);
    await expect(page.getByText('The connection to the lab was lost')).toBeHidden();
    await page.getByLabel('Batch', { exact: true }).fill('16');
    await expect(page).toHaveURL(/batch=16/);
    await page.reload();
    await compared(page);
    // It still fetches the other screens' files, which no server would answer.
    await page.goto('about:blank');
    complaints.length = 0;
  } finally {
    await second.close();
  }
});
