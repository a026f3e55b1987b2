import { useEffect, useState } from 'react';
import { useWorkspace } from '../state/workspace/use-workspace.ts';
import classes from './files.module.css';
import { openFile } from '../state/files/open-file.ts';

export function DropLayer() {
  const workspace = useWorkspace();
  const [dragging, setDragging] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void): void =>
      window.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) act(event);
        },
        { signal: stop.signal },
      );
    listen('dragover', (event) => {
      // Otherwise the browser would leave the lab and show the file.
      event.preventDefault();
      setDragging(true);
    });
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setDragging(false);
    });
    listen('drop', (event) => {
      event.preventDefault();
      setDragging(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) openFile(workspace, file);
    });
    return () => stop.abort();
  }, [workspace]);

  if (!dragging) return null;
  return (
    <div className={classes['drop']} aria-hidden="true">
      <p>
        Drop a network to open it: zigzag-graph, ONNX, or Keras and TensorFlow.js JSON; a plan; measurements;
        or a memory snapshot of PyTorch
      </p>
    </div>
  );
}
