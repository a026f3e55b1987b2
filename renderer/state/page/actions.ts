/** Something the user can do: an entry of the command palette. */
export interface Action {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Further words that should find it. */
  readonly words?: string;
  /** As shown, e.g. `Ctrl Z`. */
  readonly shortcut?: string;
  readonly run: () => void;
}
