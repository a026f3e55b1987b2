import { arxiv, type Source } from './source.ts';

const CVPR = 'IEEE Conference on Computer Vision and Pattern Recognition (CVPR)';
const ICLR = 'International Conference on Learning Representations (ICLR)';

/** The networks of the zoo. */
export const NETWORKS = {
  krizhevsky2014weird: {
    type: 'misc',
    authors: ['Krizhevsky, Alex'],
    title: 'One Weird Trick for Parallelizing Convolutional Neural Networks',
    year: 2014,
    fields: arxiv('1404.5997'),
  },
  simonyan2015deep: {
    type: 'inproceedings',
    authors: ['Simonyan, Karen', 'Zisserman, Andrew'],
    title: 'Very Deep Convolutional Networks for Large-Scale Image Recognition',
    year: 2015,
    fields: { booktitle: ICLR, ...arxiv('1409.1556') },
  },
  he2016deep: {
    type: 'inproceedings',
    authors: ['He, Kaiming', 'Zhang, Xiangyu', 'Ren, Shaoqing', 'Sun, Jian'],
    title: 'Deep Residual Learning for Image Recognition',
    year: 2016,
    fields: { booktitle: CVPR, pages: '770--778' },
  },
  huang2017densely: {
    type: 'inproceedings',
    authors: ['Huang, Gao', 'Liu, Zhuang', 'van der Maaten, Laurens', 'Weinberger, Kilian Q.'],
    title: 'Densely Connected Convolutional Networks',
    year: 2017,
    fields: { booktitle: CVPR, ...arxiv('1608.06993') },
  },
  szegedy2016rethinking: {
    type: 'inproceedings',
    authors: ['Szegedy, Christian', 'Vanhoucke, Vincent', 'Ioffe, Sergey', 'Shlens, Jon', 'Wojna, Zbigniew'],
    title: 'Rethinking the Inception Architecture for Computer Vision',
    year: 2016,
    fields: { booktitle: CVPR, pages: '2818--2826' },
  },
  zoph2018learning: {
    type: 'inproceedings',
    authors: ['Zoph, Barret', 'Vasudevan, Vijay', 'Shlens, Jonathon', 'Le, Quoc V.'],
    title: 'Learning Transferable Architectures for Scalable Image Recognition',
    year: 2018,
    fields: { booktitle: CVPR, pages: '8697--8710' },
  },
  real2019regularized: {
    type: 'inproceedings',
    authors: ['Real, Esteban', 'Aggarwal, Alok', 'Huang, Yanping', 'Le, Quoc V.'],
    title: 'Regularized Evolution for Image Classifier Architecture Search',
    year: 2019,
    fields: { booktitle: 'AAAI Conference on Artificial Intelligence', volume: '33', pages: '4780--4789' },
  },
  liu2019darts: {
    type: 'inproceedings',
    authors: ['Liu, Hanxiao', 'Simonyan, Karen', 'Yang, Yiming'],
    title: 'DARTS: Differentiable Architecture Search',
    year: 2019,
    fields: { booktitle: ICLR, ...arxiv('1806.09055') },
  },
  sandler2018mobilenetv2: {
    type: 'inproceedings',
    authors: ['Sandler, Mark', 'Howard, Andrew', 'Zhu, Menglong', 'Zhmoginov, Andrey', 'Chen, Liang-Chieh'],
    title: 'MobileNetV2: Inverted Residuals and Linear Bottlenecks',
    year: 2018,
    fields: { booktitle: CVPR, ...arxiv('1801.04381') },
  },
  ronneberger2015unet: {
    type: 'inproceedings',
    authors: ['Ronneberger, Olaf', 'Fischer, Philipp', 'Brox, Thomas'],
    title: 'U-Net: Convolutional Networks for Biomedical Image Segmentation',
    year: 2015,
    fields: {
      booktitle: 'Medical Image Computing and Computer-Assisted Intervention (MICCAI)',
      ...arxiv('1505.04597'),
    },
  },
  wu2018group: {
    type: 'inproceedings',
    authors: ['Wu, Yuxin', 'He, Kaiming'],
    title: 'Group Normalization',
    year: 2018,
    fields: { booktitle: 'European Conference on Computer Vision (ECCV)', ...arxiv('1803.08494') },
  },
  zhai2023sigmoid: {
    type: 'inproceedings',
    authors: ['Zhai, Xiaohua', 'Mustafa, Basil', 'Kolesnikov, Alexander', 'Beyer, Lucas'],
    title: 'Sigmoid Loss for Language Image Pre-Training',
    year: 2023,
    fields: { booktitle: 'International Conference on Computer Vision (ICCV)', ...arxiv('2303.15343') },
  },
  radford2021clip: {
    type: 'misc',
    authors: ['Radford, Alec', 'Kim, Jong Wook', 'Hallacy, Chris', 'others'],
    title: 'Learning Transferable Visual Models From Natural Language Supervision',
    year: 2021,
    fields: arxiv('2103.00020'),
  },
  radford2022whisper: {
    type: 'misc',
    authors: ['Radford, Alec', 'Kim, Jong Wook', 'Xu, Tao', 'others'],
    title: 'Robust Speech Recognition via Large-Scale Weak Supervision',
    year: 2022,
    fields: arxiv('2212.04356'),
  },
  radford2019language: {
    type: 'techreport',
    authors: [
      'Radford, Alec',
      'Wu, Jeffrey',
      'Child, Rewon',
      'Luan, David',
      'Amodei, Dario',
      'Sutskever, Ilya',
    ],
    title: 'Language Models are Unsupervised Multitask Learners',
    year: 2019,
    fields: { institution: 'OpenAI' },
  },
  devlin2019bert: {
    type: 'inproceedings',
    authors: ['Devlin, Jacob', 'Chang, Ming-Wei', 'Lee, Kenton', 'Toutanova, Kristina'],
    title: 'BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding',
    year: 2019,
    fields: { booktitle: 'NAACL-HLT', pages: '4171--4186', ...arxiv('1810.04805') },
  },
  yang2024gated: {
    type: 'misc',
    authors: ['Yang, Songlin', 'Kautz, Jan', 'Hatamizadeh, Ali'],
    title: 'Gated Delta Networks: Improving Mamba2 with Delta Rule',
    year: 2024,
    fields: arxiv('2412.06464'),
  },
  dosovitskiy2021image: {
    type: 'inproceedings',
    authors: ['Dosovitskiy, Alexey', 'Beyer, Lucas', 'Kolesnikov, Alexander', 'others'],
    title: 'An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale',
    year: 2021,
    fields: { booktitle: ICLR, ...arxiv('2010.11929') },
  },
} as const satisfies Readonly<Record<string, Source>>;
