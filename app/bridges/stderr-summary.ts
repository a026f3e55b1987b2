const SHOWN_CHARACTERS = 200;

/** Lines that native libraries print in every run: facts about the machine, never about a crash. */
const CHATTER = [
  // Mesa's and Vulkan's loaders, where there is no desktop session.
  /XDG_RUNTIME_DIR/,
  /^(libEGL|MESA|libva|dzn|DRI3?|amdgpu|vulkan)\b/i,
  /failed to load driver|not a conformant vulkan|driver is not/i,
  // Dawn's report of an adapter that it passes over, over several lines.
  /^warning\b/i,
  /^-? ?While (initializing|calling)/,
  /\/dawn\/src\/|\bdawn[:/]/i,
  // TensorFlow's and CUDA's start-up log.
  /^\d{4}-\d\d-\d\d .*\b[IW] /,
  /^To enable the following instructions|oneDNN custom operations/,
  // Node's own farewell.
  /^Node\.js v\d/,
  /^\(Use `node --trace/,
];

/** A line of a stack trace: JavaScript's, or native. */
const FRAME = /^(at |\d+: 0x)/;

/** The line of a crash report that says what happened, else the last line; empty if none exists. */
export function lastErrorLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !CHATTER.some((chatter) => chatter.test(line)));
  const errors = lines.filter((line) => /error|out of memory|fatal/i.test(line) && !FRAME.test(line));
  return (errors.at(-1) ?? lines.at(-1) ?? '').slice(0, SHOWN_CHARACTERS);
}

/**
 * Why a process ended, in a few words.
 *
 * @param explain adds what the process said last; a process killed by force said nothing more
 */
export function howItEnded(
  code: number | null,
  signal: string | null,
  explain: (how: string) => string,
): string {
  if (signal === 'SIGKILL') return 'killed by SIGKILL, probably because memory ran out';
  return explain(signal === null ? `exit code ${code ?? 0}` : `killed by ${signal}`);
}
