/** One source as BibTeX describes it. Texts are plain Unicode; what writes them escapes them. */
export interface Source {
  readonly type: 'article' | 'inproceedings' | 'misc' | 'techreport';
  /** `Family, Given`, in the order printed; a body such as a project is one entry without a comma. */
  readonly authors: readonly string[];
  readonly title: string;
  /** Year of publication; null where none is known. */
  readonly year: number | null;
  /** BibTeX's further fields by name, `journal`, `booktitle`, `pages`, `url`, ... */
  readonly fields?: Readonly<Record<string, string>>;
}

export const arxiv = (number: string): Readonly<Record<string, string>> => ({
  eprint: number,
  archiveprefix: 'arXiv',
  url: `https://arxiv.org/abs/${number}`,
});
