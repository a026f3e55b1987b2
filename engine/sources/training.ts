import { arxiv, type Source } from './source.ts';

const ICLR = 'International Conference on Learning Representations (ICLR)';

/** Memory and work of a training step besides activations. */
export const TRAINING = {
  shoeybi2019megatron: {
    type: 'misc',
    authors: [
      'Shoeybi, Mohammad',
      'Patwary, Mostofa',
      'Puri, Raul',
      'LeGresley, Patrick',
      'Casper, Jared',
      'Catanzaro, Bryan',
    ],
    title: 'Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism',
    year: 2019,
    fields: arxiv('1909.08053'),
  },
  lepikhin2021gshard: {
    type: 'inproceedings',
    authors: ['Lepikhin, Dmitry', 'Lee, HyoukJoong', 'Xu, Yuanzhong', 'others'],
    title: 'GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding',
    year: 2021,
    fields: { booktitle: ICLR, ...arxiv('2006.16668') },
  },
  huang2019gpipe: {
    type: 'misc',
    authors: ['Huang, Yanping', 'Cheng, Youlong', 'Bapna, Ankur', 'others'],
    title: 'GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism',
    year: 2019,
    fields: arxiv('1811.06965'),
  },
  narayanan2019pipedream: {
    type: 'inproceedings',
    authors: ['Narayanan, Deepak', 'Harlap, Aaron', 'Phanishayee, Amar', 'others'],
    title: 'PipeDream: Generalized Pipeline Parallelism for DNN Training',
    year: 2019,
    fields: { booktitle: 'ACM Symposium on Operating Systems Principles (SOSP)', ...arxiv('1806.03377') },
  },
  micikevicius2018mixed: {
    type: 'inproceedings',
    authors: ['Micikevicius, Paulius', 'Narang, Sharan', 'Alben, Jonah', 'others'],
    title: 'Mixed Precision Training',
    year: 2018,
    fields: { booktitle: ICLR, ...arxiv('1710.03740') },
  },
  kingma2015adam: {
    type: 'inproceedings',
    authors: ['Kingma, Diederik P.', 'Ba, Jimmy'],
    title: 'Adam: A Method for Stochastic Optimization',
    year: 2015,
    fields: { booktitle: ICLR, ...arxiv('1412.6980') },
  },
  loshchilov2019decoupled: {
    type: 'inproceedings',
    authors: ['Loshchilov, Ilya', 'Hutter, Frank'],
    title: 'Decoupled Weight Decay Regularization',
    year: 2019,
    fields: { booktitle: ICLR, ...arxiv('1711.05101') },
  },
  shazeer2018adafactor: {
    type: 'inproceedings',
    authors: ['Shazeer, Noam', 'Stern, Mitchell'],
    title: 'Adafactor: Adaptive Learning Rates with Sublinear Memory Cost',
    year: 2018,
    fields: { booktitle: 'International Conference on Machine Learning (ICML)', ...arxiv('1804.04235') },
  },
  dettmers2022eightbit: {
    type: 'inproceedings',
    authors: ['Dettmers, Tim', 'Lewis, Mike', 'Shleifer, Sam', 'Zettlemoyer, Luke'],
    title: '8-bit Optimizers via Block-wise Quantization',
    year: 2022,
    fields: { booktitle: ICLR, ...arxiv('2110.02861') },
  },
  rajbhandari2020zero: {
    type: 'inproceedings',
    authors: ['Rajbhandari, Samyam', 'Rasley, Jeff', 'Ruwase, Olatunji', 'He, Yuxiong'],
    title: 'ZeRO: Memory Optimizations Toward Training Trillion Parameter Models',
    year: 2020,
    fields: {
      booktitle:
        'International Conference for High Performance Computing, Networking, Storage and Analysis (SC)',
      ...arxiv('1910.02054'),
    },
  },
  hu2021lora: {
    type: 'misc',
    authors: ['Hu, Edward J.', 'Shen, Yelong', 'Wallis, Phillip', 'Allen-Zhu, Zeyuan', 'others'],
    title: 'LoRA: Low-Rank Adaptation of Large Language Models',
    year: 2021,
    fields: arxiv('2106.09685'),
  },
  dettmers2023qlora: {
    type: 'inproceedings',
    authors: ['Dettmers, Tim', 'Pagnoni, Artidoro', 'Holtzman, Ari', 'Zettlemoyer, Luke'],
    title: 'QLoRA: Efficient Finetuning of Quantized LLMs',
    year: 2023,
    fields: { booktitle: 'Advances in Neural Information Processing Systems', ...arxiv('2305.14314') },
  },
  dao2022flashattention: {
    type: 'inproceedings',
    authors: ['Dao, Tri', 'Fu, Daniel Y.', 'Ermon, Stefano', 'Rudra, Atri', 'Ré, Christopher'],
    title: 'FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness',
    year: 2022,
    fields: { booktitle: 'Advances in Neural Information Processing Systems', ...arxiv('2205.14135') },
  },
  goto2008anatomy: {
    type: 'article',
    authors: ['Goto, Kazushige', 'van de Geijn, Robert A.'],
    title: 'Anatomy of High-Performance Matrix Multiplication',
    year: 2008,
    fields: { journal: 'ACM Transactions on Mathematical Software', volume: '34', number: '3' },
  },
  lavin2016fast: {
    type: 'inproceedings',
    authors: ['Lavin, Andrew', 'Gray, Scott'],
    title: 'Fast Algorithms for Convolutional Neural Networks',
    year: 2016,
    fields: {
      booktitle: 'IEEE Conference on Computer Vision and Pattern Recognition (CVPR)',
      ...arxiv('1509.09308'),
    },
  },
  dukhan2019indirect: {
    type: 'misc',
    authors: ['Dukhan, Marat'],
    title: 'The Indirect Convolution Algorithm',
    year: 2019,
    fields: arxiv('1907.02129'),
  },
} as const satisfies Readonly<Record<string, Source>>;
