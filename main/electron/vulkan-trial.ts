import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Outcome = 'trying' | 'painted' | 'blank';

/**
 * Decides if Chromium paints with Vulkan, which WebGPU needs on X11: no, if it painted nothing at an earlier start.
 * With a software driver of Vulkan (Mesa's lavapipe, on many virtual machines) the window stays blank without any
 * error, so each start records its outcome. A start without a recorded outcome was killed, or crashed Chromium, and
 * counts as blank. A new version of Electron or of the system's kernel gets a new trial.
 */
export class VulkanTrial {
  readonly path: string;
  /** True if this start paints with Vulkan. */
  readonly isOn: boolean;
  readonly #release: string;

  /** @param release the outcome counts for this release only */
  constructor(path: string, release: string) {
    this.path = path;
    this.#release = release;
    const last = lastOutcome(path, release);
    this.isOn = last === null || last === 'painted';
    // Without a written outcome, every start would try again.
    if (this.isOn && !this.#write('trying')) this.isOn = false;
  }

  end(outcome: 'painted' | 'blank'): void {
    if (this.isOn) this.#write(outcome);
  }

  /** It ended before the outcome was known. */
  forget(): void {
    if (this.isOn) rmSync(this.path, { force: true });
  }

  #write(outcome: Outcome): boolean {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, JSON.stringify({ outcome, release: this.#release }));
      return true;
    } catch {
      return false;
    }
  }
}

function lastOutcome(path: string, wanted: string): Outcome | null {
  try {
    const { outcome, release } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    if (release !== wanted) return null;
    return outcome === 'painted' || outcome === 'blank' || outcome === 'trying' ? outcome : null;
  } catch {
    return null;
  }
}
