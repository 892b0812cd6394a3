import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { chooseDevice, devicesOf, openInputs } from './input-devices.ts';

afterEach(() => localStorage.clear());

const wanted = { audio: { channelCount: 1 }, video: { width: 640, facingMode: 'user' } };

/** Fakes the devices that happy-dom lacks. @returns the requested constraints */
function fakeUserMedia(refuse: (constraints: MediaStreamConstraints) => string | null = () => null) {
  const getUserMedia = vi.fn(async (constraints: MediaStreamConstraints) => {
    const name = refuse(constraints);
    if (name) throw new DOMException('', name);
    return {} as MediaStream;
  });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaDevices'));
  return getUserMedia;
}

test('without a selection the browser chooses', async () => {
  const asked = fakeUserMedia();
  await openInputs(wanted);
  expect(asked.mock.calls).toEqual([[wanted]]);
});

test("the selected devices are opened, or the browser's defaults if one is gone", async () => {
  chooseDevice('audioinput', 'headset');
  chooseDevice('videoinput', 'webcam');
  const chosen = {
    audio: { channelCount: 1, deviceId: { exact: 'headset' } },
    video: { width: 640, deviceId: { exact: 'webcam' } },
  };
  const asked = fakeUserMedia();
  await openInputs(wanted);
  await openInputs({ audio: wanted.audio });
  expect(asked.mock.calls).toEqual([[chosen], [{ audio: chosen.audio }]]);

  const unplugged = fakeUserMedia(({ video }) =>
    typeof video === 'object' && video.deviceId ? 'OverconstrainedError' : null,
  );
  await openInputs(wanted);
  expect(unplugged.mock.calls).toEqual([[chosen], [wanted]]);
});

test('a denial is not retried', async () => {
  chooseDevice('audioinput', 'headset');
  const asked = fakeUserMedia(() => 'NotAllowedError');
  await expect(openInputs(wanted)).rejects.toThrow(expect.objectContaining({ name: 'NotAllowedError' }));
  expect(asked).toHaveBeenCalledOnce();
});

test('devices without a name are numbered by kind', () => {
  const device = (kind: MediaDeviceKind, deviceId: string, label = '') =>
    ({ kind, deviceId, label }) as MediaDeviceInfo;
  const all = [
    device('audioinput', ''),
    device('audioinput', 'a'),
    device('videoinput', 'v'),
    device('audioinput', 'b', 'Headset'),
  ];
  expect(devicesOf('audioinput', all)).toEqual([
    { id: 'a', label: 'Microphone 1' },
    { id: 'b', label: 'Headset' },
  ]);
  expect(devicesOf('videoinput', all)).toEqual([{ id: 'v', label: 'Camera 1' }]);
});
