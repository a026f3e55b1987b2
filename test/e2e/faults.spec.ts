import { compared, expect, figures, test } from './support/lab-test.ts';

test('an unknown network in a link is named, with the nearest ones and a way on', async ({ page, open }) => {
  await open('compare?model=resnet51&batch=64&strategies=regular');
  await expect(page.getByRole('alert')).toContainText('No model is named "resnet51"; did you mean resnet50');
  await page.getByRole('button', { name: 'Use the defaults of ResNet-50' }).click();
  await compared(page);
});

test('an input size that the network does not admit is refused with its limits', async ({ page, open }) => {
  await open('compare?model=inceptionv3&batch=8&input=10&strategies=regular');
  await expect(page.getByRole('alert')).toContainText(/input: .*75/);
  await page.getByRole('button', { name: /Use the defaults/ }).click();
  await compared(page);
  await expect(page.locator('h1')).toContainText('Inception');
});

test('a language model that cannot be split is refused, and its defaults are a way on', async ({
  page,
  open,
}) => {
  await open('compare?model=llama-3.2-1b&batch=1&input=128&strategies=regular&gpus=6&tensor=3');
  await expect(page.getByRole('alert')).toContainText(
    'its 32 heads are not a multiple of 3; use a divisor of 32',
  );
  await page.getByRole('button', { name: 'Use the defaults of Llama 3.2 1B' }).click();
  await compared(page);
});

test('a link with errors opens with default values and says so', async ({ page, open }) => {
  await open('nowhere?model=vgg11&batch=-1&strategies=regular,magic');
  await expect(page.getByText('There is no screen “nowhere”')).toBeVisible();
  await expect(page.getByText(/The link’s batch “-1” is not a whole number/)).toBeVisible();
  await expect(page.getByText('This lab does not have the strategy “magic”')).toBeVisible();
  await compared(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('There is no screen')).toHaveCount(0);
  await expect(page).toHaveURL(/#\/compare\?model=vgg11&batch=64&strategies=regular$/);
});

test('a lost connection is shown, and the lab reconnects', { tag: '@socket' }, async ({ page, compare }) => {
  const sockets: { close(): Promise<void> }[] = [];
  await page.routeWebSocket(/\/lab$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await compare('compare?model=vgg11&batch=8&strategies=regular,optimal');
  await sockets.at(-1)?.close();
  await expect(page.getByRole('alert')).toContainText('The connection to the lab was lost');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Strategies', exact: true }).click();
  await page.getByRole('checkbox', { name: /Chen √n/ }).check();
  await expect(figures(page).getByRole('row', { name: /Chen √n/ })).toContainText('iB');
});
