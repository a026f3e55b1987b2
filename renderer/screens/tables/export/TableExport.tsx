import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { tableLatex } from '../../../../app/report/latex-table.ts';
import { tableCsv, tableMarkdown } from '../../../../app/report/table-forms.ts';
import type { ReproducedTable } from '../../../../engine/tables/table.ts';
import { saveSources } from '../../../state/parts/save-sources.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { download } from '../../../shared/charts/export-chart.ts';
import { exportedTable } from './exported.ts';
import type { TableView } from '../use-table.ts';

const FORMS = [
  { title: 'CSV', extension: 'csv', type: 'text/csv', write: tableCsv },
  { title: 'Markdown', extension: 'md', type: 'text/markdown', write: tableMarkdown },
  { title: 'LaTeX', extension: 'tex', type: 'application/x-tex', write: tableLatex },
] as const;

const SAID_MS = 2000;

export function TableExport({ view }: { readonly view: TableView }) {
  const workspace = useWorkspace();
  const [said, setSaid] = useState('');
  const table = exportedTable(view);
  const copy = async (title: string, write: (table: ReproducedTable) => string): Promise<void> => {
    if (table === null) return;
    const done = await navigator.clipboard.writeText(write(table)).then(
      () => true,
      () => false,
    );
    setSaid(done ? `${title} copied` : 'Copying was refused');
    setTimeout(() => setSaid(''), SAID_MS);
  };

  return (
    <>
      <Menu
        position="bottom-end"
        shadow="md"
        width={208}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Button variant="default" h={30} disabled={table === null}>
            {said === '' ? 'Export' : said}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMS.map(({ title, extension, type, write }) => (
            <Menu.Item
              key={extension}
              onClick={() =>
                table !== null &&
                download(new Blob([write(table)], { type }), `zigzag-${view.name}.${extension}`)
              }
            >
              Save as {title}
            </Menu.Item>
          ))}
          {FORMS.map(({ title, extension, write }) => (
            <Menu.Item key={extension} onClick={() => void copy(title, write)}>
              Copy as {title}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => void saveSources(workspace)}>Save sources as BibTeX</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}
