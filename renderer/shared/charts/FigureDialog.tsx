import { ActionIcon, Box, Button, Checkbox, Group, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { CloseIcon } from '../icons.tsx';
import { FIGURE_SIZES, type FigureSize } from './figure-size.ts';
import { FIGURE_FORMATS, type FigureFormat } from './save-figure.ts';

export interface FigureChoice {
  readonly size: FigureSize;
  readonly format: FigureFormat;
  readonly hasTitle: boolean;
  readonly hasKey: boolean;
}

export interface FigureDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Settles once the file is there, with what went wrong in one sentence, else null. */
  readonly onSave: (choice: FigureChoice) => Promise<string | null>;
  readonly keyed: boolean;
}

const FORMAT_NOTES: Readonly<Record<FigureFormat, string>> = {
  pdf: 'Vector; text in Helvetica, which viewers provide and the file does not embed.',
  svg: 'Vector, for further editing.',
  png: 'Pixels: 300 per inch in a column, 1,920 across a slide.',
};

export function FigureDialog({ title, opened, onClose, onSave, keyed }: FigureDialogProps) {
  const [size, setSize] = useState<FigureSize>(FIGURE_SIZES[0]!);
  const [format, setFormat] = useState<FigureFormat>('pdf');
  const [hasTitle, setHasTitle] = useState(false);
  const [hasKey, setHasKey] = useState(true);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setSaving(true);
    const said = await onSave({ size, format, hasTitle, hasKey: keyed && hasKey });
    setSaving(false);
    setFailure(said);
    if (said === null) onClose();
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      padding={0}
      size={440}
      yOffset="var(--zz-dialog-top)"
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Figure for print">
        <Modal.Body>
          <Stack gap={12} p="20px 24px 24px">
            <Group justify="space-between">
              <h2>Figure for print</h2>
              <ActionIcon size="md" aria-label="Close" onClick={onClose} data-autofocus>
                <CloseIcon />
              </ActionIcon>
            </Group>
            <Box component="p" c="dimmed">
              {title}
            </Box>
            <SegmentedControl
              size="sm"
              fullWidth
              aria-label="Size"
              orientation="vertical"
              value={size.id}
              onChange={(id) => setSize(FIGURE_SIZES.find((known) => known.id === id) ?? size)}
              data={FIGURE_SIZES.map((known) => ({ value: known.id, label: known.title }))}
            />
            <SegmentedControl
              size="sm"
              fullWidth
              aria-label="Format"
              value={format}
              onChange={(name) => setFormat(FIGURE_FORMATS.find((known) => known === name) ?? format)}
              data={FIGURE_FORMATS.map((known) => ({ value: known, label: known.toUpperCase() }))}
            />
            <Box component="p" c="dimmed">
              {FORMAT_NOTES[format]}
            </Box>
            <Checkbox
              size="sm"
              label="Title over the figure"
              checked={hasTitle}
              onChange={(event) => setHasTitle(event.currentTarget.checked)}
            />
            {keyed && (
              <Checkbox
                size="sm"
                label="Legend: names of the lines and areas"
                checked={hasKey}
                onChange={(event) => setHasKey(event.currentTarget.checked)}
              />
            )}
            {failure !== null && <p role="alert">{failure}</p>}
            <Group justify="flex-end" gap={8}>
              <Button variant="default" size="sm" onClick={onClose}>
                Cancel
              </Button>
              <Button size="sm" loading={isSaving} onClick={() => void save()}>
                Save figure
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
