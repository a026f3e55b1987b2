import { describe, expect, it } from 'vitest';
import { enableWebgpu } from '../../main/electron/gpu-switches.ts';
import type { VulkanTrial } from '../../main/electron/vulkan-trial.ts';
import { fakeCommandLine } from './fakes.ts';

function switchesOn(
  platform: string,
  arch: string,
  env: Readonly<Record<string, string>> = {},
  given: Readonly<Record<string, string>> = {},
  isOn = true,
) {
  const commandLine = fakeCommandLine(given);
  const trial = { isOn } as VulkanTrial;
  const begun = enableWebgpu(commandLine, () => trial, { platform, arch, env });
  const features = commandLine.getSwitchValue('enable-features');
  // A trial is begun where its outcome matters, and nowhere else.
  if (isOn) expect(begun).toBe(features.includes('Vulkan') ? trial : null);
  return Object.fromEntries(commandLine.switches);
}

describe('the switches for WebGPU', () => {
  it('leave the browser on OpenGL under Wayland, where Vulkan shows blank windows', () => {
    const interop = { 'enable-unsafe-webgpu': '', 'enable-features': 'ForceEnableWebGpuInterop' };
    expect(switchesOn('linux', 'x64', { XDG_SESSION_TYPE: 'wayland' })).toEqual(interop);
    expect(switchesOn('linux', 'x64', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(interop);
    expect(switchesOn('linux', 'x64', {}, { 'ozone-platform': 'wayland' })).toMatchObject(interop);
  });

  it('turn Vulkan on under X11, by session or by switch', () => {
    const vulkan = { 'enable-unsafe-webgpu': '', 'enable-features': 'Vulkan' };
    expect(switchesOn('linux', 'x64', { XDG_SESSION_TYPE: 'x11' })).toEqual(vulkan);
    expect(
      switchesOn('linux', 'x64', { XDG_SESSION_TYPE: 'wayland' }, { 'ozone-platform': 'x11' }),
    ).toMatchObject(vulkan);
  });

  it('leave Vulkan off after it painted nothing', () => {
    expect(switchesOn('linux', 'x64', { XDG_SESSION_TYPE: 'x11' }, {}, false)).toEqual({
      'enable-unsafe-webgpu': '',
    });
  });

  it('keep what the user enabled', () => {
    expect(switchesOn('linux', 'x64', {}, { 'enable-features': 'A,B' })['enable-features']).toBe(
      'A,B,Vulkan',
    );
  });

  it('are empty if WebGPU works without them', () => {
    expect(switchesOn('darwin', 'arm64')).toEqual({});
    expect(switchesOn('win32', 'x64')).toEqual({});
    expect(switchesOn('win32', 'arm64')).toEqual({ 'enable-unsafe-webgpu': '' });
  });
});
