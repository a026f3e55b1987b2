import { ActionIcon, Box, Flex, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { CloseIcon } from '../shared/icons.tsx';
import { useWorkspace } from '../state/workspace/use-workspace.ts';
import classes from './frame.module.css';

export interface DialogFrameProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

export interface DialogLayerProps extends DialogFrameProps {
  readonly size: number;
  /** Open within the event, so that the next key already reaches it. */
  readonly isInstant?: boolean;
}

/**
 * A layer over the lab, named by its title. Mantine's own header would be a `<header>` outside of the
 * content, a second banner of the page.
 */
export function DialogLayer({ opened, title, size, isInstant = false, children }: DialogLayerProps) {
  const { page } = useWorkspace();
  return (
    <Modal.Root
      opened={opened}
      onClose={() => page.openDialog(null)}
      lockScroll={false}
      padding={0}
      size={size}
      yOffset="var(--zz-dialog-top)"
      transitionProps={{ duration: isInstant ? 0 : 100 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={title}>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Title of a dialog, and the button that closes it. */
export function DialogHead({ title }: { readonly title: string }) {
  const { page } = useWorkspace();
  return (
    <Flex align="center" justify="space-between" mb={16}>
      <Box component="h2" fz={16} lh="24px">
        {title}
      </Box>
      <ActionIcon size="md" aria-label="Close" onClick={() => page.openDialog(null)} data-autofocus>
        <CloseIcon />
      </ActionIcon>
    </Flex>
  );
}

export function DialogFrame({
  opened,
  title,
  size = 520,
  children,
}: DialogFrameProps & { readonly size?: number }) {
  return (
    <DialogLayer opened={opened} title={title} size={size}>
      <div className={classes['dialog']}>
        <DialogHead title={title} />
        {children}
      </div>
    </DialogLayer>
  );
}
