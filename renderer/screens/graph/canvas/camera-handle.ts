/** How the toolbar and the panels move the drawing. The canvas fills it in. */
export interface CameraHandle {
  fit: () => void;
  zoomBy: (factor: number) => void;
  center: (key: string) => void;
  show: (keys: readonly string[]) => void;
  /** Box to be centred once it is drawn. */
  wanted: string | null;
  /** Box that stays where it is on screen while the drawing changes. */
  anchor: string | null;
  seesAll: boolean;
}

export function createCamera(): CameraHandle {
  const nothing = (): void => undefined;
  return {
    fit: nothing,
    zoomBy: nothing,
    center: nothing,
    show: nothing,
    wanted: null,
    anchor: null,
    seesAll: false,
  };
}
