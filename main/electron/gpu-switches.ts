import type { CommandLine } from 'electron';

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
 * on Vulkan; where no driver has it, Chromium goes back to OpenGL by itself. Windows on ARM64: behind a switch.
 *
 * Sources: gpuweb/gpuweb wiki, Implementation-Status; Chromium's gpu/config/gpu_util.cc (kForceEnableWebGpuInterop),
 * ui/ozone/platform/wayland/gpu/wayland_surface_factory.cc; electron/electron#41763.
 */
export function enableWebgpu(
  commandLine: Pick<CommandLine, 'appendSwitch' | 'getSwitchValue'>,
  machine: Machine = process,
): void {
  const { platform, arch } = machine;
  if (platform === 'linux') {
    commandLine.appendSwitch('enable-unsafe-webgpu');
    addFeature(commandLine, isWayland(commandLine, machine) ? 'ForceEnableWebGpuInterop' : 'Vulkan');
  } else if (platform === 'win32' && arch === 'arm64') {
    commandLine.appendSwitch('enable-unsafe-webgpu');
  }
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
