import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';
import { reasonOf } from './skipped.ts';

/** How one runner ended, as `app/start/test.mjs` adds it up. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** How many were skipped for each reason that their titles tell. */
  reasons: Record<string, number>;
}

/**
 * Counts a run. A file that fails outside its tests (a syntax error, a throwing hook) has no failed test of its
 * own, so it counts as one failure; else a broken file would look like an empty one.
 */
export function countModules(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const counts: Counts = { passed: 0, failed: unhandledErrors, skipped: 0, reasons: {} };
  for (const module of modules) {
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'skipped') {
        counts.skipped += 1;
        const reason = reasonOf(test.fullName);
        if (reason !== undefined) counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
      } else failedTests += 1;
    }
    counts.failed += failedTests === 0 && !module.ok() ? 1 : failedTests;
  }
  return counts;
}

/** Prints the counts, or hands them to the process that asked for them with ZIGZAG_COUNTS. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
    _reason: TestRunEndReason,
  ): void {
    const counts = countModules(modules, unhandledErrors.length);
    const file = process.env['ZIGZAG_COUNTS'];
    if (file) writeFileSync(file, JSON.stringify(counts));
    else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
