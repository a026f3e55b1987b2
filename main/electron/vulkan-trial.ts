import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Outcome = 'trying' | 'painted' | 'blank';

/**
 * Decides if Chromium paints with Vulkan, which WebGPU needs on X11: not if it painted nothing before. With a software
 * driver of Vulkan (Mesa's lavapipe, on many virtual machines) the window stays blank, and nothing fails that could be
 * caught; so each start is a trial whose outcome is written down. One that left none, because it was killed or took all
 * of Chromium with it, painted nothing either. Another Electron or another system's kernel is tried anew.
 */
export class VulkanTrial {
  readonly path: string;
  /** True if this start paints with Vulkan. */
  readonly isOn: boolean;
  readonly #release: string;

  /** @param release what the outcome holds for */
  constructor(path: string, release: string) {
    this.path = path;
    this.#release = release;
    const last = lastOutcome(path, release);
    this.isOn = last === null || last === 'painted';
    // If nothing can be written, every start would try again.
    if (this.isOn && !this.#write('trying')) this.isOn = false;
  }

  end(outcome: 'painted' | 'blank'): void {
    if (this.isOn) this.#write(outcome);
  }

  /** It ended before anybody could tell. */
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
