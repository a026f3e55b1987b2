import type * as Electron from 'electron';
import type { Encoded } from './codec.ts';

/** Messages between the stand-in's process and the driver, which has Chromium. */

/** Messages from a page's isolated world. */
export type PageMessage =
  | { readonly type: 'ipc-send'; readonly channel: string; readonly args: readonly Encoded[] }
  | { readonly type: 'port-message'; readonly port: number; readonly message: Encoded }
  | { readonly type: 'port-closed'; readonly port: number }
  | { readonly type: 'window-close' };

/** Messages to a page's isolated world. */
export type ToPage =
  | {
      readonly type: 'ipc';
      readonly channel: string;
      readonly message: Encoded;
      readonly ports: readonly number[];
    }
  | { readonly type: 'deliver'; readonly port: number; readonly message: Encoded }
  | { readonly type: 'close'; readonly port: number };

type GoneReason = Electron.RenderProcessGoneDetails['reason'];

/** Events of a window of Chromium. */
export type WindowEvent =
  | { readonly type: 'page'; readonly said: PageMessage }
  | { readonly type: 'navigated'; readonly url: string; readonly sameDocument: boolean }
  | { readonly type: 'loaded' }
  | { readonly type: 'load-failed'; readonly error: string }
  | { readonly type: 'gone'; readonly reason: GoneReason }
  | { readonly type: 'unresponsive' | 'responsive' }
  | { readonly type: 'closed' }
  | { readonly type: 'window-open'; readonly url: string };

/** Questions and answers, by number. */
export interface Questions {
  readonly adopt: { readonly asked: null; readonly answer: number };
  readonly state: { readonly asked: null; readonly answer: State };
  readonly menu: { readonly asked: string; readonly answer: null };
  readonly permission: {
    readonly asked: { readonly windowId: number; readonly permission: string; readonly url: string };
    readonly answer: boolean;
  };
}

/** Entry of the application menu: its path with its name last, and its key. */
export interface MenuEntry {
  readonly path: string;
  readonly accelerator: string;
}

export interface State {
  readonly windows: readonly { readonly id: number; readonly url: string; readonly isShown: boolean }[];
  /** Process ids of the utility processes, with their files. */
  readonly utilities: readonly { readonly pid: number; readonly file: string }[];
  readonly switches: Readonly<Record<string, string>>;
  readonly isSandboxed: boolean;
  readonly menu: readonly MenuEntry[];
}

/** Painted pixels of a picture; null for an empty one. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel, as Electron's `toBitmap` has them. */
  readonly bitmap: Uint8Array;
}

export type Ask = {
  [Name in keyof Questions]: { readonly name: Name; readonly asked: Questions[Name]['asked'] };
}[keyof Questions];

export type ToShell =
  | { readonly type: 'ready' | 'quit' }
  | { readonly type: 'window'; readonly windowId: number; readonly event: WindowEvent }
  | { readonly type: 'ask'; readonly id: number; readonly question: Ask }
  | { readonly type: 'captured'; readonly id: number; readonly picture: Picture | null }
  | { readonly type: 'answered'; readonly id: number; readonly response: number }
  | { readonly type: 'file-chosen'; readonly id: number; readonly files: readonly string[] }
  | { readonly type: 'executed'; readonly id: number; readonly outcome: Executed }
  | { readonly type: 'gpu-gone'; readonly reason: GoneReason };

export type FromShell =
  | { readonly type: 'evaluated' }
  | { readonly type: 'serving'; readonly lab: string }
  | { readonly type: 'switch'; readonly name: string; readonly value: string }
  | {
      readonly type: 'open';
      readonly windowId: number;
      readonly partition: string;
      readonly preload: string | null;
      readonly width: number;
      readonly height: number;
    }
  | { readonly type: 'load'; readonly windowId: number; readonly url: string }
  | { readonly type: 'to-page'; readonly windowId: number; readonly message: ToPage }
  | { readonly type: 'crash' | 'destroy' | 'show'; readonly windowId: number }
  | { readonly type: 'capture'; readonly windowId: number; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'external'; readonly url: string }
  | { readonly type: 'shown-item'; readonly path: string }
  | { readonly type: 'awake'; readonly isAwake: boolean }
  | { readonly type: 'progress'; readonly windowId: number; readonly value: number }
  | { readonly type: 'recent'; readonly path: string }
  | { readonly type: 'go'; readonly windowId: number; readonly by: number }
  | { readonly type: 'execute'; readonly windowId: number; readonly id: number; readonly code: string }
  | { readonly type: 'choose-file'; readonly id: number }
  | { readonly type: 'dialog'; readonly id: number; readonly dialog: Dialog }
  | { readonly type: 'dialog-closed'; readonly id: number }
  | { readonly type: 'exit'; readonly code: number; readonly relaunch: boolean };

export type Executed = { readonly value: unknown } | { readonly error: string };

/** A dialog of the system as a person sees it; an error box has no buttons of its own. */
export interface Dialog {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}
