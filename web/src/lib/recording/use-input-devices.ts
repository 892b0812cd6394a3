import { useEffect, useState } from 'react';

/** All media devices, while and after something was opened; names are known from then on. Follows what is plugged in. */
export function useInputDevices(opened: boolean): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    if (!opened || !navigator.mediaDevices?.enumerateDevices) return;
    const list = () => void navigator.mediaDevices.enumerateDevices().then(setDevices, console.error);
    list();
    navigator.mediaDevices.addEventListener('devicechange', list);
    return () => navigator.mediaDevices.removeEventListener('devicechange', list);
  }, [opened]);
  return devices;
}
