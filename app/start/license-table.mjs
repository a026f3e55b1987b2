/**
 * The licences of packages that come without the text of theirs: by name, or by what the name begins with. Texts are
 * SPDX's, in app/start/licenses; holders and where they are named are the packages' own.
 *
 * @typedef {{ holder: string, texts: readonly string[] }} Granted
 * @typedef {{ name: string, source: string, of: readonly Granted[] }} Known
 */

/** @type {(name: string, holder: string, source: string, ...texts: string[]) => Known} */
const one = (name, holder, source, ...texts) => ({ name, source, of: [{ holder, texts }] });

const GOOGLE = 'Copyright Google LLC and the TensorFlow.js authors';
const ITS_HEADERS = "the headers of the package's own files";
const ITS_MANIFEST = 'author and licence in its package.json';

/** @type {readonly Known[]} */
export const WITHOUT_TEXT = [
  {
    name: '@bufbuild/protobuf',
    source: ITS_HEADERS,
    of: [
      { holder: 'Copyright 2021-2026 Buf Technologies, Inc.', texts: ['Apache-2.0'] },
      { holder: 'Copyright 2008 Google Inc. (varints)', texts: ['BSD-3-Clause'] },
    ],
  },
  one(
    '@libsql/*',
    'Copyright (c) 2017 Joshua Wise\nCopyright (c) 2023 Pekka Enberg',
    'the licence of libsql, of which these are the native parts',
    'MIT',
  ),
  one('@tensorflow/tfjs-layers', GOOGLE, ITS_HEADERS, 'Apache-2.0', 'MIT'),
  one('@tensorflow/tfjs*', GOOGLE, ITS_HEADERS, 'Apache-2.0'),
  one('es6-promisify', 'Copyright (c) Mike Hall', ITS_MANIFEST, 'MIT'),
  one('react-remove-scroll-bar', 'Copyright (c) Anton Korzunov', ITS_MANIFEST, 'MIT'),
  one('tr46', 'Copyright (c) Sebastian Mayr', ITS_MANIFEST, 'MIT'),
];

/** @param {string} name */
export const knownLicense = (name) =>
  WITHOUT_TEXT.find((known) =>
    known.name.endsWith('*') ? name.startsWith(known.name.slice(0, -1)) : name === known.name,
  );
