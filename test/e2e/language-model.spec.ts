import { compared, expect, test } from './support/lab-test.ts';
import { drop } from './support/drop.ts';

/** The sizes in the config.json of Llama 3.2 1B. */
const LLAMA = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 64,
  vocab_size: 128256,
  max_position_embeddings: 131072,
  tie_word_embeddings: true,
  torch_dtype: 'bfloat16',
};

test('a dropped config.json does not fit 24 GiB at batch 4: a plan or shorter sequences make it fit', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(
    'compare?model=vgg11&batch=1&strategies=regular,chen-sqrt&deviceGiB=24&precision=bf16&optimizer=adamw',
  );
  await compared(page);
  await drop(page, 'config.json', JSON.stringify(LLAMA));
  const headline = page.locator('h1');
  await expect(headline).toContainText('llama-1.2b at batch 1 fits 24');
  await page.getByLabel('Batch', { exact: true }).fill('4');
  await expect(headline).toContainText('llama-1.2b at batch 4 does not fit 24');
  await expect(headline).toContainText('It fits under Chen √n');
  const sequence = page.getByLabel('Sequence', { exact: true });
  await expect(sequence).toHaveAttribute('placeholder', '4096');
  await sequence.fill('1024');
  await expect(headline).toContainText('llama-1.2b at batch 4 fits 24');

  await drop(page, 'config.json', JSON.stringify({ ...LLAMA, model_type: 'mamba' }));
  await expect(page.getByRole('alert')).toContainText(
    'model_type "mamba" is not supported; capture the model',
  );
});

test('Llama 3.1 8B does not fit 24 GiB: the first suggestion makes it fit, with a script for PyTorch', async ({
  page,
  compare,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await compare('compare?model=vgg11&batch=1&strategies=regular,chen-sqrt&deviceGiB=24');
  const config = { ...LLAMA, hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32 };
  const sizes = { num_attention_heads: 32, head_dim: 128, tie_word_embeddings: false };
  await drop(page, 'config.json', JSON.stringify({ ...config, ...sizes }));
  const headline = page.locator('h1');
  await expect(headline).toContainText('llama-8.0b at batch 1 does not fit 24');
  const suggestion = page.getByRole('button', { name: /^Use QLoRA of rank 16/ });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(
    /GiB, unknown extra time, changes the result/,
  );
  await page.getByRole('button', { name: 'More ways' }).click();
  await expect(page.getByRole('menuitem')).toContainText(['Use 8 GPUs (FSDP2)']);
  await page.keyboard.press('Escape');
  await suggestion.click();
  await expect(page).toHaveURL(/lora=16/);
  await expect(headline).toContainText('It fits under Budget');
  await page.getByRole('button', { name: 'Use this plan' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('A step peaks at');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [library, call] of [
    ['PyTorch', 'for inputs, labels in batches:'],
    ['the Trainer of transformers', 'Trainer('],
  ] as const) {
    await dialog.getByRole('button', { name: `Copy: In your program, with ${library}` }).click();
    await expect(
      dialog.getByRole('button', { name: `Copied: In your program, with ${library}` }),
    ).toBeVisible();
    const script = await page.evaluate(() => navigator.clipboard.readText());
    for (const part of [call, 'plan_model(model, ', 'load_in_4bit=True', 'r=16,', 'get_peft_model('])
      expect(script).toContain(part);
  }
});

test('sequences divided among GPUs fit where whole ones do not', async ({ page, compare }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await compare(
    'compare?model=llama-3.1-8b&batch=1&input=32768&precision=bf16&optimizer=adamw&strategies=regular&deviceGiB=80&gpus=8&shard=fsdp2',
  );
  const headline = page.locator('h1');
  await expect(headline).toContainText('does not fit 80');
  await page.getByRole('button', { name: /^More:/ }).click();
  await page.getByLabel('Context parallel').fill('4');
  await expect(page).toHaveURL(/contextParallel=4/);
  await expect(headline).toContainText('fits 80');
  await page.getByLabel('Tensor parallel').fill('2');
  await expect(page.getByText('parameters on one GPU')).toBeVisible();
  await page.getByLabel('Context parallel').fill('3');
  await expect(page.getByRole('alert')).toContainText('needs a multiple of 6 GPUs, and there are 8');
});
