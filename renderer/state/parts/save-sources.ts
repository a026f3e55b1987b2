import { download } from '../../shared/charts/export-chart.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** BibTeX of every source and of this version of Zigzag, as a file; the list comes when it is asked for. */
export async function saveSources({ connection }: Pick<Workspace, 'connection'>): Promise<void> {
  const [{ bibtex }, { version }] = await Promise.all([
    import('../../../app/report/bibtex.ts'),
    connection.client.about(),
  ]);
  download(new Blob([bibtex(version)], { type: 'application/x-bibtex' }), 'zigzag.bib');
}
