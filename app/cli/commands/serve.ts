import { startServer } from '../../../main/serve.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { refuseFlags } from '../command-options.ts';
import { openNetwork } from '../network.ts';
import { parseBudgetBytes, parseWhole } from '../options.ts';
import { ENDING_SIGNALS } from '../failures.ts';
import type { Terminal } from '../terminal.ts';

interface ServeFlags {
  readonly port?: string;
  readonly open?: boolean;
  readonly newKey?: boolean;
  readonly budget?: string;
  readonly json?: boolean;
}

/** `zigzag serve [FILE]`: the lab in a browser. Runs until it is interrupted. */
export async function serveCommand(
  file: string | undefined,
  flags: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  const port = flags.port === undefined ? undefined : parseWhole(flags.port, '--port', 0, 65535);
  if (file === undefined) refuseFlags(flags, ['budget'], 'is for the network of a file');
  const { budget } = flags;
  const regularPeakBytes = (): number =>
    regularFigures(openNetwork('solve', file ?? '', {}).problem()).peakBytes;
  const server = await startServer({
    port,
    file,
    budgetBytes: budget === undefined ? undefined : parseBudgetBytes(budget, '--budget', regularPeakBytes),
    open: flags.open === true,
    newKey: flags.newKey === true,
  });
  if (flags.json === true) terminal.out(JSON.stringify({ url: server.url }));
  else terminal.out(`The lab is open at ${server.url}\nPress Ctrl+C to stop.`);
  await new Promise<void>((resolve) => {
    for (const signal of ENDING_SIGNALS) process.once(signal, () => resolve());
  });
  await server.close();
}
