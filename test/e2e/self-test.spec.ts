import { useLab } from '../../main/electron/self-test.ts';
import { expect, test } from './support/lab-test.ts';

test('the packed program’s self-test works on the lab', async ({ page, open }) => {
  await open('compare?model=tiny-residual&batch=4');
  const { compared, trained } = await page.evaluate(useLab);
  expect(compared).toContain('(needs ');
  expect(trained).toContain('just as predicted, at every step.');
});
