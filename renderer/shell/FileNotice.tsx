import layout from '../shared/layout/layout.module.css';
import { useCatalog, useLabPart } from '../state/workspace/use-workspace.ts';
import { YOUR_FILES } from '../state/files/file-row.ts';
import classes from './files.module.css';

const SCREENS: readonly string[] = ['compare', 'graph', 'limits', 'train'];

export function FileNotice({ screen }: { readonly screen: string }) {
  const model = useLabPart(({ experiment }) => experiment.model);
  const { models } = useCatalog();
  const row = models.find(({ name, family }) => name === model && family === YOUR_FILES);
  if (row === undefined || row.note === '' || !SCREENS.includes(screen)) return null;
  return (
    <aside className={`${layout['note']} ${classes['notice']}`} aria-label="About the file">
      {row.title}: {row.note}
    </aside>
  );
}
