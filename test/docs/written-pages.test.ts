import { expect, it } from 'vitest';
import { accuracyPage, commandLinePage, limitsPage, pythonPage, strategiesPage } from './written-pages.ts';

it.each([
  ['reference/command-line', commandLinePage],
  ['reference/python', pythonPage],
  ['reference/limits', limitsPage],
  ['explanation/strategies', strategiesPage],
  ['explanation/accuracy', accuracyPage],
])('docs/%s.md matches the program', async (name, page) => {
  const written = page();
  expect(written.length).toBeGreaterThan(1000);
  await expect(written).toMatchFileSnapshot(`../../docs/${name}.md`);
});
