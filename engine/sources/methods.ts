import { arxiv, type Source } from './source.ts';

const NIPS = 'Advances in Neural Information Processing Systems';

/** Gradient checkpointing itself: the papers, articles and programs that strategies, tables and lessons follow. */
export const METHODS = {
  feng2021optimal: {
    type: 'inproceedings',
    authors: ['Feng, Jianwei', 'Huang, Dong'],
    title: 'Optimal Gradient Checkpoint Search for Arbitrary Computation Graphs',
    year: 2021,
    fields: {
      booktitle: 'IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)',
      ...arxiv('1808.00079'),
    },
  },
  reforwarding: {
    type: 'misc',
    authors: ['Anonymous'],
    title: 'Cutting Down Training Memory by Re-forwarding',
    year: null,
    fields: {
      note: 'Submission to ICLR under double-blind review; an earlier version of Feng and Huang, 2021',
    },
  },
  chen2016training: {
    type: 'misc',
    authors: ['Chen, Tianqi', 'Xu, Bing', 'Zhang, Chiyuan', 'Guestrin, Carlos'],
    title: 'Training Deep Nets with Sublinear Memory Cost',
    year: 2016,
    fields: arxiv('1604.06174'),
  },
  griewank2000revolve: {
    type: 'article',
    authors: ['Griewank, Andreas', 'Walther, Andrea'],
    title:
      'Algorithm 799: Revolve: An Implementation of Checkpointing for the Reverse or Adjoint Mode of Computational Differentiation',
    year: 2000,
    fields: {
      journal: 'ACM Transactions on Mathematical Software',
      volume: '26',
      number: '1',
      pages: '19--45',
    },
  },
  gruslys2016memory: {
    type: 'inproceedings',
    authors: ['Gruslys, Audrunas', 'Munos, Rémi', 'Danihelka, Ivo', 'Lanctot, Marc', 'Graves, Alex'],
    title: 'Memory-Efficient Backpropagation Through Time',
    year: 2016,
    fields: { booktitle: NIPS, pages: '4125--4133' },
  },
  bulatov2018fitting: {
    type: 'misc',
    authors: ['Bulatov, Yaroslav'],
    title: 'Fitting Larger Networks into Memory',
    year: 2018,
    fields: { howpublished: 'Medium, 14 January 2018' },
  },
  openai2018gradient: {
    type: 'misc',
    authors: ['Salimans, Tim', 'Bulatov, Yaroslav'],
    title: 'gradient-checkpointing',
    year: 2018,
    fields: {
      howpublished: 'A package for TensorFlow',
      url: 'https://github.com/cybertronai/gradient-checkpointing',
    },
  },
  jain2020checkmate: {
    type: 'inproceedings',
    authors: [
      'Jain, Paras',
      'Jain, Ajay',
      'Nrusimha, Aniruddha',
      'Gholami, Amir',
      'Abbeel, Pieter',
      'Gonzalez, Joseph',
      'Keutzer, Kurt',
      'Stoica, Ion',
    ],
    title: 'Checkmate: Breaking the Memory Wall with Optimal Tensor Rematerialization',
    year: 2020,
    fields: { booktitle: 'Proceedings of Machine Learning and Systems (MLSys)', ...arxiv('1910.02653') },
  },
  kirisame2021dynamic: {
    type: 'inproceedings',
    authors: [
      'Kirisame, Marisa',
      'Lyubomirsky, Steven',
      'Haan, Altan',
      'Brennan, Jennifer',
      'He, Mike',
      'Roesch, Jared',
      'Chen, Tianqi',
      'Tatlock, Zachary',
    ],
    title: 'Dynamic Tensor Rematerialization',
    year: 2021,
    fields: {
      booktitle: 'International Conference on Learning Representations (ICLR)',
      ...arxiv('2006.09616'),
    },
  },
  beaumont2021efficient: {
    type: 'inproceedings',
    authors: ['Beaumont, Olivier', 'Eyraud-Dubois, Lionel', 'Shilova, Alena'],
    title: 'Efficient Combination of Rematerialization and Offloading for Training DNNs',
    year: 2021,
    fields: { booktitle: NIPS, volume: '34' },
  },
  rhu2016vdnn: {
    type: 'inproceedings',
    authors: [
      'Rhu, Minsoo',
      'Gimelshein, Natalia',
      'Clemons, Jason',
      'Zulfiqar, Arslan',
      'Keckler, Stephen W.',
    ],
    title: 'vDNN: Virtualized Deep Neural Networks for Scalable, Memory-Efficient Neural Network Design',
    year: 2016,
    fields: {
      booktitle: 'IEEE/ACM International Symposium on Microarchitecture (MICRO)',
      ...arxiv('1602.08124'),
    },
  },
  wang2018superneurons: {
    type: 'inproceedings',
    authors: [
      'Wang, Linnan',
      'Ye, Jinmian',
      'Zhao, Yiyang',
      'Wu, Wei',
      'Li, Ang',
      'Song, Shuaiwen Leon',
      'Xu, Zenglin',
      'Kraska, Tim',
    ],
    title: 'SuperNeurons: Dynamic GPU Memory Management for Training Deep Neural Networks',
    year: 2018,
    fields: {
      booktitle: 'ACM SIGPLAN Symposium on Principles and Practice of Parallel Programming (PPoPP)',
      ...arxiv('1801.04380'),
    },
  },
  peng2020capuchin: {
    type: 'inproceedings',
    authors: [
      'Peng, Xuan',
      'Shi, Xuanhua',
      'Dai, Hulin',
      'Jin, Hai',
      'Ma, Weiliang',
      'Xiong, Qian',
      'Yang, Fan',
      'Qian, Xuehai',
    ],
    title: 'Capuchin: Tensor-based GPU Memory Management for Deep Learning',
    year: 2020,
    fields: {
      booktitle:
        'International Conference on Architectural Support for Programming Languages and Operating Systems (ASPLOS)',
    },
  },
  beaumont2019optimal: {
    type: 'misc',
    authors: [
      'Beaumont, Olivier',
      'Eyraud-Dubois, Lionel',
      'Herrmann, Julien',
      'Joly, Alexis',
      'Shilova, Alena',
    ],
    title:
      'Optimal Checkpointing for Heterogeneous Chains: How to Train Deep Neural Networks with Limited Memory',
    year: 2019,
    fields: { note: 'The program rotor', ...arxiv('1911.13214') },
  },
  kusumoto2019graph: {
    type: 'inproceedings',
    authors: ['Kusumoto, Mitsuru', 'Inoue, Takuya', 'Watanabe, Gentaro', 'Akiba, Takuya', 'Koyama, Masanori'],
    title: 'A Graph Theoretic Framework of Recomputation Algorithms for Memory-Efficient Backpropagation',
    year: 2019,
    fields: { booktitle: NIPS, ...arxiv('1905.11722') },
  },
  paszke2019pytorch: {
    type: 'inproceedings',
    authors: ['Paszke, Adam', 'Gross, Sam', 'Massa, Francisco', 'others'],
    title: 'PyTorch: An Imperative Style, High-Performance Deep Learning Library',
    year: 2019,
    fields: { booktitle: NIPS, ...arxiv('1912.01703') },
  },
  wolf2020transformers: {
    type: 'inproceedings',
    authors: ['Wolf, Thomas', 'Debut, Lysandre', 'Sanh, Victor', 'others'],
    title: 'Transformers: State-of-the-Art Natural Language Processing',
    year: 2020,
    fields: { booktitle: 'EMNLP: System Demonstrations', ...arxiv('1910.03771') },
  },
  fortylayers: {
    type: 'misc',
    authors: [],
    title: 'An Article on Gradient Checkpointing in PyTorch',
    year: null,
    fields: {
      key: 'Article on gradient checkpointing',
      note: 'Its example trains 40 layers of 1,024 features; author, title and date are unknown to us',
    },
  },
} as const satisfies Readonly<Record<string, Source>>;
