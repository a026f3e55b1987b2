import type { PageId } from '../../../state/learn/lessons.ts';

const FENG =
  'J. Feng and D. Huang, Optimal Gradient Checkpoint Search for Arbitrary Computation Graphs, CVPR 2021.';
const BULATOV = 'Y. Bulatov, Fitting larger networks into memory, 2018.';
const CHEN = 'T. Chen, B. Xu, C. Zhang and C. Guestrin, Training Deep Nets with Sublinear Memory Cost, 2016.';
const GRUSLYS =
  'A. Gruslys, R. Munos, I. Danihelka, M. Lanctot and A. Graves, Memory-Efficient Backpropagation Through Time, NIPS 2016.';
const GRIEWANK = 'A. Griewank and A. Walther, Algorithm 799: revolve, ACM TOMS 26 (2000).';
const LIU =
  'J. W. H. Liu, An Application of Generalized Tree Pebbling to Sparse Matrix Factorization, SIAM J. Algebraic Discrete Methods 8 (1987).';
const SETHI = 'R. Sethi, Complete Register Allocation Problems, SIAM J. Computing 4 (1975).';

const SOURCES: Readonly<Record<PageId, readonly string[]>> = {
  regular: [BULATOV],
  pebbles: [SETHI, BULATOV],
  poor: [BULATOV],
  sqrt: [CHEN, BULATOV],
  unequal: [FENG],
  branches: [FENG, BULATOV],
  budget: [GRUSLYS, GRIEWANK, BULATOV],
  theory: [FENG],
  mistakes: [CHEN],
  orders: [SETHI, LIU, BULATOV],
  game: [FENG],
  glossary: [FENG, BULATOV],
};

export const sourcesOf = (page: PageId): readonly string[] => SOURCES[page];
