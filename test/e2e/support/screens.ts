/** A screen of the lab, and what its headline says once it is there. */
export interface Screen {
  readonly id: string;
  readonly view?: string;
  readonly ready: RegExp;
}

export const SCREENS: readonly Screen[] = [
  { id: 'compare', ready: / fits? / },
  { id: 'graph', ready: /tensors joined by/ },
  { id: 'tables', view: '&v.table=theory', ready: /Solved in/ },
  { id: 'limits', ready: /trains regularly up to batch/ },
  { id: 'learn', view: '&v.lesson=sqrt', ready: /./ },
  { id: 'train', ready: /./ },
];
