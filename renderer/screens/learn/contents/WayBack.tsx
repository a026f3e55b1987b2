import { Button, Group } from '@mantine/core';
import { useStore } from '../../../shared/store.ts';
import { useLabPart, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import layout from '../../../shared/layout/layout.module.css';
import { lessonNumber, pageTitle } from '../../../state/learn/lessons.ts';
import { learnSession } from '../../../state/learn/learn-session.ts';
import { openPage } from '../../../state/parts/use-page.ts';

export function WayBack() {
  const workspace = useWorkspace();
  const { wayBack } = workspace.keep(learnSession);
  const from = useStore(wayBack);
  const screen = useLabPart((view) => view.screen);
  if (from === null || screen === 'learn') return null;
  return (
    <aside className={layout['banner']} aria-label="Lesson">
      <span>
        Lesson {lessonNumber(from.page)}: {pageTitle(from.page)}
      </span>
      <Group gap={8}>
        <Button onClick={() => openPage(workspace, from.page, from.params, from.lecture)}>
          Go back to the lesson
        </Button>
        <Button variant="default" onClick={() => wayBack.set(null)}>
          Stay here
        </Button>
      </Group>
    </aside>
  );
}
