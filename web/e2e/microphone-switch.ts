import type { Page } from 'playwright-core';

/** Gives the page's microphone a mute switch like a headset's: when muted, it is open but silent. */
export async function addMicrophoneSwitch(page: Page, { on = true } = {}): Promise<void> {
  await page.addInitScript((isOnAtFirst) => {
    let isOn = isOnAtFirst;
    const tracks: MediaStreamTrack[] = [];
    const apply = () => {
      for (const track of tracks) track.enabled = isOn;
    };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      tracks.push(...stream.getAudioTracks());
      apply();
      return stream;
    };
    addEventListener('switch microphone', ({ detail }: CustomEventInit<boolean>) => {
      isOn = detail === true;
      apply();
    });
  }, on);
}

/** Toggles a page's mute switch. */
export function switchMicrophone(page: Page, on: boolean): Promise<boolean> {
  return page.evaluate((detail) => dispatchEvent(new CustomEvent('switch microphone', { detail })), on);
}
