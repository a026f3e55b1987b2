import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatBytes } from '../shared/format/bytes.ts';
import { saveSources } from '../state/parts/save-sources.ts';
import { useWorkspace } from '../state/workspace/use-workspace.ts';
import { DialogFrame } from './DialogFrame.tsx';
import { Pairs } from './Pairs.tsx';

type Facts = Awaited<ReturnType<ReturnType<typeof useWorkspace>['connection']['client']['about']>>;

const CARRIERS = {
  desktop: 'desktop window',
  browser: 'browser',
  site: 'browser, without a server',
  test: 'test',
} as const;

export function AboutDialog({ opened }: { readonly opened: boolean }) {
  const workspace = useWorkspace();
  const { connection } = workspace;
  const [facts, setFacts] = useState<Facts | null>(null);

  useEffect(() => {
    if (!opened) return;
    let gone = false;
    connection.client.about().then(
      (answer) => gone || setFacts(answer),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [opened, connection]);

  const rows: [string, string][] = [
    ['Version', facts?.version ?? '…'],
    ['Runs in', facts === null ? '…' : CARRIERS[facts.carrier]],
    ['Machine', facts?.platform ?? '…'],
    ['Processors', facts === null ? '…' : String(facts.logicalCpus)],
    [
      'Memory',
      facts === null ? '…' : facts.memoryBytes === null ? 'unknown' : formatBytes(facts.memoryBytes),
    ],
  ];
  const site = connection.place === 'site' ? './' : (facts?.site ?? null);
  const docs = site === null ? null : `${site}docs/index.html`;
  return (
    <DialogFrame opened={opened} title="About Zigzag">
      <p>
        Zigzag is a lab for gradient checkpointing. It is named after the saw-tooth curve of memory over one
        training step when activations are freed and recomputed.
      </p>
      {connection.place === 'site' ? (
        <p>
          The <a href="./licenses.txt">licences of the packages</a> in this build are files next to this page.
        </p>
      ) : (
        <p>
          <code>zigzag licenses</code> prints the licences of its packages. The desktop app also has them as
          files.
        </p>
      )}
      <p>
        {docs === null ? (
          <>
            The documentation is in the folder <code>docs</code>; <code>npm run site</code> builds it with
            search.
          </>
        ) : (
          <a href={docs} target="_blank" rel="noreferrer">
            Documentation
          </a>
        )}
      </p>
      <Pairs rows={rows} />
      <Button variant="default" mt="md" onClick={() => void saveSources(workspace)}>
        Save the sources as BibTeX
      </Button>
    </DialogFrame>
  );
}
