import { Menu } from '@mantine/core';
import { memo } from 'react';
import { DotsMenu } from '../layout/DotsMenu.tsx';

export type ImageKind = 'svg' | 'png' | 'csv';

export interface ExportMenuProps {
  readonly title: string;
  readonly disabled: boolean;
  readonly onSave: (kind: ImageKind) => void;
  /** Opens what asks for size and format. */
  readonly onPrint: () => void;
}

/** Saves a chart; stays as it is while the chart changes. */
export const ExportMenu = memo(function ExportMenu({ title, disabled, onSave, onPrint }: ExportMenuProps) {
  return (
    <DotsMenu label={`Save the chart ${title}`} disabled={disabled}>
      <Menu.Item onClick={onPrint}>Figure for print (PDF, SVG, PNG)…</Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => onSave('svg')}>Save as SVG</Menu.Item>
      <Menu.Item onClick={() => onSave('png')}>Save as PNG</Menu.Item>
      <Menu.Item onClick={() => onSave('csv')}>Save data as CSV</Menu.Item>
    </DotsMenu>
  );
});
