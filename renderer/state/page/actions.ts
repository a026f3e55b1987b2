export interface Action {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly words?: string;
  /** As shown, e.g. `Ctrl Z`. */
  readonly shortcut?: string;
  readonly run: () => void;
}
