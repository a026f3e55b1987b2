import { describe, expect, it } from 'vitest';
import { comparisonCsv } from '../../../app/report/comparison-csv.ts';
import { csvText } from '../../../app/report/csv.ts';

describe('a cell of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://evil.example";"x")', `"'=HYPERLINK(""http://evil.example"";""x"")"`],
    ['+cmd', "'+cmd"],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ['@SUM(1)', "'@SUM(1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['\r\n=1', `"'\r\n=1"`],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
  ])('that a spreadsheet would execute is text: %j', (cell, written) => {
    expect(csvText([[cell]])).toBe(`${written}\r\n`);
  });

  it.each([-1.5, -1e-7, 0, '-1.5', '+3', '1e-7', '-2.5e+10', 'a=b', 'resnet-50', 'x@y', '', '–', "'quoted"])(
    'stays as it is: %j',
    (cell) => expect(csvText([[cell]])).toBe(`${cell}\r\n`),
  );

  it('never becomes a formula, even if a file’s name is one', () => {
    const head = { model: '=1+1', batch: 1, input: 0, profile: 'pytorch', regularPeakBytes: 4 };
    const none = {
      lowerBoundBytes: null,
      paperCostBytes: null,
      recomputeFraction: null,
      predictedOverhead: null,
    };
    const rest = {
      checkpoints: null,
      steps: null,
      solveMs: null,
      claim: null,
      reason: '-x',
      recomputeBoundFraction: null,
    };
    const rows = [{ strategy: 'live', peakBytes: 5, ...none, ...rest }];
    const [, line] = comparisonCsv([{ head, rows }]).split('\r\n');
    expect(line).toBe("'=1+1,1,0,pytorch,live,5,-0.25,,,,,,,,,'-x,,,");
  });
});
