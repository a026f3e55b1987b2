/**
 * @typedef {{ line: number, column: number }} Place 1-based
 * @typedef {{ mutatorName: string, replacement?: string, status: string, location: { start: Place, end: Place } }} Mutant
 * @typedef {{ source: string, mutants: Mutant[] }} MutatedFile
 * @typedef {Record<string, MutatedFile>} Files by path, as Stryker's JSON report has them
 * @typedef {{ file: string, line: string, change: string, times?: number, why: string }} Equivalent a mutant that no
 *   test can notice: the trimmed first line that it changes, `was → becomes`, how often the file has it (once)
 * @typedef {{ file: string, date: string, mutants: number, noticed: number, equivalent: number }} Row
 */

const NOTICED = new Set(['Killed', 'Timeout']);
const LOST = new Set(['Survived', 'NoCoverage']);
/** Longer code is cut: an entry must stay one that people read. */
const LONGEST = 100;

/** @param {string} code */
function short(code) {
  const words = code.replace(/\s+/g, ' ').trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

/**
 * How `equivalent.json` names a mutant.
 *
 * @param {string} source
 * @param {Mutant} mutant
 */
export function nameOf(source, { location: { start, end }, replacement = '' }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const line = (lines[0] ?? '').trim();
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return { line, change: `${short(lines.join('\n'))} → ${short(replacement)}` };
}

/**
 * Mutants that no test noticed, those known to be equivalent, and names that no longer match any.
 *
 * @param {Files} files
 * @param {readonly Equivalent[]} equivalents
 * @param {string} date
 */
export function judge(files, equivalents, date) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {{ file: string, at: number, line: string, change: string }[]} */
  const survivors = [];
  /** @type {string[]} */
  const stale = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lost = mutants
      .filter(({ status }) => LOST.has(status))
      .map((mutant) => ({ file, at: mutant.location.start.line, ...nameOf(source, mutant) }));
    const excused = new Set();
    for (const { line, change, times = 1 } of equivalents.filter((entry) => entry.file === file)) {
      const same = lost.filter((mutant) => mutant.line === line && mutant.change === change);
      if (same.length === times) for (const mutant of same) excused.add(mutant);
      else stale.push(`${file}: "${line}", ${change}: ${same.length} survive, ${times} named`);
    }
    survivors.push(...lost.filter((mutant) => !excused.has(mutant)));
    const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
    rows.push({ file, date, mutants: noticed + lost.length, noticed, equivalent: excused.size });
  }
  return { rows, survivors, stale };
}

/**
 * Percentage of the noticeable mutants that was noticed.
 *
 * @param {readonly Pick<Row, 'mutants' | 'noticed' | 'equivalent'>[]} rows
 */
export function scoreOf(rows) {
  const sum = { mutants: 0, noticed: 0, equivalent: 0 };
  for (const row of rows) {
    sum.mutants += row.mutants;
    sum.noticed += row.noticed;
    sum.equivalent += row.equivalent;
  }
  const possible = sum.mutants - sum.equivalent;
  return { ...sum, score: possible === 0 ? 100 : (100 * sum.noticed) / possible };
}

const HEAD =
  '| place | date | mutants | noticed | equivalent | score |\n| --- | --- | --: | --: | --: | --: |';

/**
 * @param {string} place
 * @param {string} date
 * @param {readonly Row[]} rows
 */
export function lineOf(place, date, rows) {
  const { mutants, noticed, equivalent, score } = scoreOf(rows);
  return `| ${place} | ${date} | ${mutants} | ${noticed} | ${equivalent} | ${score.toFixed(1)} % |`;
}

/**
 * The rows of files in a results file; those of whole places are recomputed.
 *
 * @param {string} text
 * @returns {Row[]}
 */
export function readRows(text) {
  return text.split('\n').flatMap((line) => {
    const [, file = '', date = '', mutants, noticed, equivalent] = line.split('|').map((cell) => cell.trim());
    if (!file.endsWith('.ts') || !/^\d{4}-/.test(date)) return [];
    return [
      { file, date, mutants: Number(mutants), noticed: Number(noticed), equivalent: Number(equivalent) },
    ];
  });
}

/**
 * The results file: places with the oldest date of their files, their files, and what was never measured.
 *
 * @param {ReadonlyMap<string, readonly string[]>} places the files of each place that there are now
 * @param {readonly Row[]} rows later ones replace earlier ones of the same file
 */
export function resultsText(places, rows) {
  const byFile = new Map(rows.map((row) => [row.file, row]));
  const summary = [];
  const files = [];
  const missing = [];
  for (const [place, all] of places) {
    const measured = all.flatMap((file) => byFile.get(file) ?? []);
    missing.push(...all.filter((file) => !byFile.has(file)));
    const part = measured.length < all.length ? ` (${measured.length} of ${all.length} files)` : '';
    const oldest = measured.map(({ date }) => date).sort()[0];
    if (oldest !== undefined) summary.push(lineOf(`${place}${part}`, oldest, measured));
    files.push(...measured.map((row) => lineOf(row.file, row.date, [row])));
  }
  return [
    '# Faults put in, and noticed',
    `Written by \`npm run mutants\`. A mutant is one small change of the code; it is noticed where a test of its place
fails or does not end. Equivalent ones, which no test can notice, are named with a reason in
\`test/mutants/equivalent.json\`; the score leaves them out. What runs while a module loads is not changed. A place's
date is that of the file measured longest ago.`,
    [HEAD, ...summary].join('\n'),
    '## By file',
    [HEAD, ...files].join('\n'),
    '## Not measured',
    missing.length === 0 ? 'Nothing of these places.' : missing.map((file) => `- ${file}`).join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}
