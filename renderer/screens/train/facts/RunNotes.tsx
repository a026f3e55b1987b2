import { Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RunSummary } from '../../../../app/contract/history.ts';
import { MAX_NAME, MAX_NOTE } from '../../../../app/contract/recorded-run.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';

/** A run's name and note, kept when the field is left. */
export function RunNotes({ line }: { readonly line: RunSummary }) {
  const { history } = useWorkspace();
  const [name, setName] = useState(line.name);
  const [note, setNote] = useState(line.note);
  return (
    <Stack gap={0} mb={8}>
      <TextInput
        size="xs"
        variant="unstyled"
        aria-label="Name of the run"
        placeholder="Name this run"
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => name.trim() !== line.name && void history.rename(line.id, name)}
      />
      <Textarea
        size="xs"
        variant="unstyled"
        autosize
        maxRows={4}
        aria-label="Note on the run"
        placeholder="Note"
        maxLength={MAX_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => note.trim() !== line.note && void history.annotate(line.id, note)}
      />
    </Stack>
  );
}
