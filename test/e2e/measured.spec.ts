import { snapshotFile } from '../support/snapshots.ts';
import { drop } from './support/drop.ts';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW = 'compare?model=resnet18&batch=8&input=64&strategies=regular,optimal';

test('a dropped snapshot is drawn by phase and bar by bar', async ({ page, compare }) => {
  await compare(VIEW);
  await drop(page, 'snapshot.pickle', snapshotFile('resnet18-stacks'));
  const card = page.getByTestId('measured-file');
  await expect(card.getByRole('heading', { name: 'Measured: snapshot.pickle' })).toBeVisible();
  await expect(card.getByRole('status')).toContainText(/148\sMiB allocated at the peak, 152\sMiB predicted/);
  await expect(card.getByRole('status')).toContainText('Shown: step 2 of 2');
  await expect(card.locator('[data-curve="measured"]')).toHaveCount(1);
  await expect(card.locator('[data-curve="predicted"]')).toHaveCount(1);
  await expect(card.locator('[data-bar="unexplained"]')).toBeVisible();
  await expect(card.locator('[data-bar="total"]')).toContainText(/160\sMiB/);
  await expectAccessible(page);
});

test('the sentence on the comparison follows the strategy and the device', async ({ page, compare }) => {
  await compare(VIEW);
  await page.getByRole('button', { name: 'Save or open this comparison' }).click();
  await page.getByRole('menuitem', { name: 'Compare with a memory snapshot…' }).click();
  const card = page.getByTestId('measured-file');
  await expect(card).toContainText('_record_memory_history()');
  await expectAccessible(page);
  await drop(page, 'oom.pickle', snapshotFile('resnet18-out-of-memory'));
  await expect(card.getByRole('status')).toContainText('ResNet-18, batch 8, Regular');
  await expect(card).toContainText('Memory ran out in the optimizer');
  await card.getByLabel('Trained under').selectOption('optimal');
  await expect(card.getByRole('status')).toContainText('ResNet-18, batch 8, Optimal');
  await card.getByRole('button', { name: 'Close the measurement' }).click();
  await expect(card).toHaveCount(0);
});

test('a result of measure has bars and its peak; for another network the differences are named', async ({
  page,
  compare,
}) => {
  await compare(VIEW);
  const result = { device: 'cpu', seconds: 1, parameters: 11_689_512, batch: 8, peakBytes: 14_652_936 };
  await drop(page, 'measured.json', JSON.stringify(result));
  const card = page.getByTestId('measured-file');
  await expect(card.getByRole('status')).toContainText(
    /14\.0\sMiB measured at the peak, 14\.0\sMiB predicted/,
  );
  await expect(card.locator('[data-bar="total"]')).toContainText('Measured peak');
  await drop(page, 'other.json', JSON.stringify({ ...result, parameters: 25_557_032 }));
  await expect(card.getByRole('alert')).toHaveText(
    'The measured network has 25,557,032 parameters, and this one has 11,689,512: open the measured network.',
  );
});

test('a file without measurements is refused in one sentence', async ({ page, compare }) => {
  await compare(VIEW);
  const card = page.getByTestId('measured-file');
  const code = Uint8Array.from([0x80, 4, ...new TextEncoder().encode('cos\nsystem\n'), 0x2e]);
  await drop(page, 'evil.pickle', code);
  await expect(card.getByRole('alert')).toHaveText(
    'The pickle would make Python run code (GLOBAL of os.system); nothing was run. A memory snapshot is plain data.',
  );
  await drop(page, 'cut.pickle', snapshotFile('resnet18-stacks').slice(0, 70_000));
  await expect(card.getByRole('alert')).toHaveText('The file is incomplete; save or copy it again.');
  await drop(page, 'model.pkl', new TextEncoder().encode('PK\u0003\u0004'));
  await expect(card.getByRole('alert')).toContainText('torch.save');
});
