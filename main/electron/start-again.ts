import type { App } from 'electron';

/** Ends the program and starts it anew; an AppImage by the file that was started, as what it unpacked goes with it. */
export function startAgain(
  app: Pick<App, 'quit' | 'relaunch'>,
  { APPIMAGE }: Readonly<Record<string, string | undefined>> = process.env,
): void {
  app.relaunch(APPIMAGE === undefined ? {} : { execPath: APPIMAGE });
  app.quit();
}
