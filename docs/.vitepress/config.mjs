/** Pages of the documentation in reading order. `npm run site` builds them into dist/site/docs, with addresses relative to each page. */
const SIDEBAR = [
  {
    text: 'Start',
    items: [
      { text: 'Install', link: '/start/install' },
      { text: 'First ten minutes', link: '/start/first-ten-minutes' },
      { text: 'Does it fit?', link: '/start/does-it-fit' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Your PyTorch model', link: '/guides/pytorch' },
      { text: 'Language models', link: '/guides/language-models' },
      { text: 'ONNX and Keras files', link: '/guides/files' },
      { text: 'Reproduce the papers', link: '/guides/papers' },
      { text: 'Teach a class', link: '/guides/teaching' },
      { text: 'Find the largest batch', link: '/guides/largest-batch' },
      { text: 'Measured against predicted', link: '/guides/measured' },
      { text: 'Sweeps on Slurm and Ray', link: '/guides/sweeps' },
      { text: 'Offload to host memory', link: '/guides/offload' },
      { text: 'The lab as static files', link: '/guides/site' },
    ],
  },
  {
    text: 'Explanation',
    items: [
      { text: 'Memory of a training step', link: '/explanation/memory' },
      { text: 'Strategies', link: '/explanation/strategies' },
      { text: 'Bounds and proofs', link: '/explanation/bounds' },
      { text: 'Simulated, measured, unknown', link: '/explanation/known' },
      { text: 'Accuracy', link: '/explanation/accuracy' },
      { text: 'Architecture', link: '/explanation/architecture' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Command line', link: '/reference/command-line' },
      { text: 'Python', link: '/reference/python' },
      { text: 'Models in PyTorch', link: '/pytorch-zoo' },
      { text: 'File formats', link: '/reference/files' },
      { text: 'Environment and exit codes', link: '/reference/environment' },
      { text: 'Keyboard', link: '/reference/keyboard' },
      { text: 'Limits and security', link: '/reference/limits' },
      { text: 'What has run where', link: '/what-has-run-where' },
      { text: 'Releasing', link: '/releasing' },
    ],
  },
];

export default {
  title: 'Zigzag',
  description: 'How much memory training a network needs, and what it costs in time to need less',
  base: './',
  // None: a relative address would not hold on every page.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { build: { license: { fileName: 'licenses.json' } } },
  cacheDir: '../node_modules/.cache/zigzag/docs',
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/install' },
      { text: 'Guides', link: '/guides/pytorch' },
      { text: 'Reference', link: '/reference/command-line' },
    ],
    sidebar: SIDEBAR,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
};
