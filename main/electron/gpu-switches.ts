import type { CommandLine } from 'electron';
import type { VulkanTrial } from './vulkan-trial.ts';

interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Chromium's switches without which WebGPU finds no adapter on some machines. To be called before the app is
 * ready. Elsewhere (macOS, Windows on x64) WebGPU needs none.
 *
 * Linux: WebGPU runs on Vulkan. On Wayland, Chromium draws with OpenGL beside it ("WebGPU interop"), for which
 * Chromium itself picks only some Intel and NVIDIA drivers; the whole browser on Vulkan is incompatible with
 * Wayland and leaves windows blank there. On X11 there is no such interop, so that the browser itself has to be
 * on Vulkan. Where no driver has it, Chromium goes back to OpenGL by itself; where one has it that cannot paint (Mesa's
 * lavapipe), it does not, so that Vulkan is a trial. Windows on ARM64: behind a switch.
 *
 * Sources: gpuweb/gpuweb wiki, Implementation-Status; Chromium's gpu/config/gpu_util.cc (kForceEnableWebGpuInterop),
 * ui/ozone/platform/wayland/gpu/wayland_surface_factory.cc; electron/electron#41763.
 *
 * @param beginTrial called where Vulkan is wanted; it says whether it is used
 * @returns the trial, where there is one: what is painted decides it
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

/** As Chromium chooses, but for doubt, which counts as Wayland: the switch for X11 does harm there. */
function isWayland(commandLine: Pick<CommandLine, 'getSwitchValue'>, { env }: Machine): boolean {
  const asked = commandLine.getSwitchValue('ozone-platform');
  if (asked !== '') return asked !== 'x11';
  return env['XDG_SESSION_TYPE'] === 'wayland' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
}

/** A switch that is given twice counts once, the last: what the user enabled stays. */
function addFeature(commandLine: Pick<CommandLine, 'appendSwitch' | 'getSwitchValue'>, name: string): void {
  const given = commandLine.getSwitchValue('enable-features');
  commandLine.appendSwitch('enable-features', given === '' ? name : `${given},${name}`);
}
