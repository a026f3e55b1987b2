import { Kbd } from '@mantine/core';
import { DialogFrame } from './DialogFrame.tsx';
import { Pairs } from './Pairs.tsx';
import { SCREENS } from './screens.tsx';

export function ShortcutsDialog({ opened, modifier }: { opened: boolean; modifier: string }) {
  const rows: [string, string][] = [
    [`${modifier} K`, 'Command palette: every action by name'],
    ...SCREENS.map(({ label }, i): [string, string] => [String(i + 1), `Screen ${label}`]),
    ['[ and ]', 'Halve and double the batch'],
    [`${modifier} Z`, 'Undo'],
    [`${modifier} Shift Z`, 'Redo'],
    ['← and →', 'On a chart: one operation back or forward; ten with Shift'],
    ['Home and End', 'On a chart: first and last step'],
    ['P', 'On a chart: the peak'],
    ['+, − and 0', 'On a chart: zoom in, zoom out, show all; vertically with Alt; Alt ↑ and ↓ move'],
    ['Space', 'In a lesson: play or pause; the arrows step'],
    ['L', 'In a lesson: start or leave lecturer’s mode; Esc leaves it'],
    ['Page Up and Down', 'In lecturer’s mode: previous and next section; lessons with Shift'],
    ['Esc', 'Cancel the running work'],
    ['?', 'This list'],
  ];
  return (
    <DialogFrame opened={opened} title="Keyboard shortcuts">
      <Pairs rows={rows} drawn={(keys) => <Kbd>{keys}</Kbd>} />
    </DialogFrame>
  );
}
