import { ActionIcon, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { CloseIcon } from '../shared/icons.tsx';
import classes from './frame.module.css';

export interface DialogFrameProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog whose title is no page banner: Mantine's own header is a `<header>` outside of the content. */
export function DialogFrame({ opened, title, onClose, children }: DialogFrameProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      lockScroll={false}
      padding={24}
      size={520}
      yOffset="12vh"
      transitionProps={{ duration: 100 }}
      aria-label={title}
    >
      <div className={classes['dialogHead']}>
        <h2 className={classes['dialogTitle']}>{title}</h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose} data-autofocus>
          <CloseIcon />
        </ActionIcon>
      </div>
      {children}
    </Modal>
  );
}
