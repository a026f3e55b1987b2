import type { Source } from './source.ts';

/** Graphs, pebbles and statistics. */
export const THEORY = {
  hopcroft1973dividing: {
    type: 'article',
    authors: ['Hopcroft, John E.', 'Tarjan, Robert E.'],
    title: 'Dividing a Graph into Triconnected Components',
    year: 1973,
    fields: { journal: 'SIAM Journal on Computing', volume: '2', number: '3', pages: '135--158' },
  },
  gutwenger2000linear: {
    type: 'inproceedings',
    authors: ['Gutwenger, Carsten', 'Mutzel, Petra'],
    title: 'A Linear Time Implementation of SPQR-Trees',
    year: 2000,
    fields: { booktitle: 'Graph Drawing', pages: '77--90' },
  },
  sethi1975complete: {
    type: 'article',
    authors: ['Sethi, Ravi'],
    title: 'Complete Register Allocation Problems',
    year: 1975,
    fields: { journal: 'SIAM Journal on Computing', volume: '4', number: '3', pages: '226--248' },
  },
  liu1987application: {
    type: 'article',
    authors: ['Liu, Joseph W. H.'],
    title: 'An Application of Generalized Tree Pebbling to Sparse Matrix Factorization',
    year: 1987,
    fields: {
      journal: 'SIAM Journal on Algebraic and Discrete Methods',
      volume: '8',
      number: '3',
      pages: '375--395',
    },
  },
  gogate2004complete: {
    type: 'inproceedings',
    authors: ['Gogate, Vibhav', 'Dechter, Rina'],
    title: 'A Complete Anytime Algorithm for Treewidth',
    year: 2004,
    fields: { booktitle: 'Conference on Uncertainty in Artificial Intelligence (UAI)', pages: '201--208' },
  },
  sugiyama1981methods: {
    type: 'article',
    authors: ['Sugiyama, Kozo', 'Tagawa, Shojiro', 'Toda, Mitsuhiko'],
    title: 'Methods for Visual Understanding of Hierarchical System Structures',
    year: 1981,
    fields: {
      journal: 'IEEE Transactions on Systems, Man, and Cybernetics',
      volume: '11',
      number: '2',
      pages: '109--125',
    },
  },
  mann1947test: {
    type: 'article',
    authors: ['Mann, Henry B.', 'Whitney, Donald R.'],
    title: 'On a Test of Whether One of Two Random Variables is Stochastically Larger than the Other',
    year: 1947,
    fields: { journal: 'The Annals of Mathematical Statistics', volume: '18', number: '1', pages: '50--60' },
  },
  hodges1963estimates: {
    type: 'article',
    authors: ['Hodges, Joseph L.', 'Lehmann, Erich L.'],
    title: 'Estimates of Location Based on Rank Tests',
    year: 1963,
    fields: {
      journal: 'The Annals of Mathematical Statistics',
      volume: '34',
      number: '2',
      pages: '598--611',
    },
  },
} as const satisfies Readonly<Record<string, Source>>;
