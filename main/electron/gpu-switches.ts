import type { CommandLine } from 'electron';
import type { VulkanTrial } from './vulkan-trial.ts';

interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Sets the Chromium switches without which WebGPU finds no adapter on some machines. Call it before the app is ready.
 * Elsewhere (macOS, Windows on x64) WebGPU needs none.
 *
 * Linux: WebGPU runs on Vulkan. On Wayland, Chromium draws with OpenGL beside it ("WebGPU interop"), for which Chromium
 * itself picks only some Intel and NVIDIA drivers; the whole browser on Vulkan is incompatible with Wayland and leaves
 * windows blank there. X11 has no such interop, so the browser itself must run on Vulkan. Without a Vulkan driver,
 * Chromium falls back to OpenGL. With one that cannot paint (Mesa's lavapipe) it does not, so Vulkan is only tried.
 * Windows on ARM64: behind a switch.
 *
 * Sources: gpuweb/gpuweb wiki, Implementation-Status; Chromium's gpu/config/gpu_util.cc (kForceEnableWebGpuInterop),
 * ui/ozone/platform/wayland/gpu/wayland_surface_factory.cc; electron/electron#41763.
 *
 * @param beginTrial called if Vulkan is wanted; returns whether to use it
 * @returns the trial, if one was started; the first painting decides it
 */
export function enableWebgpu(
  commandLine: Pick<CommandLine, 'appendSwitch' | 'getSwitchValue'>,
  beginTrial: () => VulkanTrial,
  machine: Machine = process,
): VulkanTrial | null {
  const { platform, arch } = machine;
  if (platform === 'linux') {
    commandLine.appendSwitch('enable-unsafe-webgpu');
    if (isWayland(commandLine, machine)) {
      addFeature(commandLine, 'ForceEnableWebGpuInterop');
      return null;
    }
    const trial = beginTrial();
    if (trial.isOn) addFeature(commandLine, 'Vulkan');
    return trial;
  }
  if (platform === 'win32' && arch === 'arm64') {
    commandLine.appendSwitch('enable-unsafe-webgpu');
  }
  return null;
}

/** Chromium's own choice, except that doubt counts as Wayland, where the switch for X11 does harm. */
function isWayland(commandLine: Pick<CommandLine, 'getSwitchValue'>, { env }: Machine): boolean {
  const asked = commandLine.getSwitchValue('ozone-platform');
  if (asked !== '') return asked !== 'x11';
  return env['XDG_SESSION_TYPE'] === 'wayland' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
}

/** Keeps what the user enabled: of a switch given twice, only the last counts. */
function addFeature(commandLine: Pick<CommandLine, 'appendSwitch' | 'getSwitchValue'>, name: string): void {
  const given = commandLine.getSwitchValue('enable-features');
  commandLine.appendSwitch('enable-features', given === '' ? name : `${given},${name}`);
}
