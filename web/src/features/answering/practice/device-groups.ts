import { devicesOf, type InputKind } from '../../../lib/recording/input-devices.ts';
import type { Input } from '../session/answer-events.ts';
import type { DeviceGroup } from '../session/device-menu.tsx';

/** The microphones and cameras to choose from. */
export function deviceGroups(
  devices: readonly MediaDeviceInfo[],
  input: Input,
  onChoose: (kind: InputKind, deviceId: string) => void,
): DeviceGroup[] {
  const stream = input.status === 'open' ? input.stream : null;
  const idOf = (tracks: MediaStreamTrack[] | undefined) => tracks?.[0]?.getSettings().deviceId;
  return [
    {
      label: 'Microphone',
      devices: devicesOf('audioinput', devices),
      deviceId: idOf(stream?.getAudioTracks()),
      onChoose: (deviceId) => onChoose('audioinput', deviceId),
    },
    {
      label: 'Camera',
      devices: devicesOf('videoinput', devices),
      deviceId: idOf(stream?.getVideoTracks()),
      onChoose: (deviceId) => onChoose('videoinput', deviceId),
    },
  ];
}
