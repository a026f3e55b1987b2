import { startServer } from '../../../main/serve.ts';
import { parseWhole } from '../options.ts';
import type { Terminal } from '../terminal.ts';

/** `zigzag serve`: the lab in a browser. Runs until it is interrupted. */
export async function serveCommand(
  flags: { readonly port?: string; readonly open?: boolean; readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const port = flags.port === undefined ? undefined : parseWhole(flags.port, '--port', 0, 65535);
  const server = await startServer({ ...(port === undefined ? {} : { port }), open: flags.open === true });
  if (flags.json === true) terminal.out(JSON.stringify({ url: server.url }));
  else terminal.out(`The lab is open at ${server.url}\nPress Ctrl+C to stop.`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.close();
}
