import type { App } from 'electron';

/** Restarts the program; an AppImage from its own file, because its unpacked files vanish with it. */
export function startAgain(
  app: Pick<App, 'quit' | 'relaunch'>,
  { APPIMAGE }: Readonly<Record<string, string | undefined>> = process.env,
): void {
  app.relaunch(APPIMAGE === undefined ? {} : { execPath: APPIMAGE });
  app.quit();
}
