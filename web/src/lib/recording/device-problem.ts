import { useEffect } from 'react';

/** Permissions that are missing in the DOM library's types. */
type DevicePermission = 'microphone' | 'camera';

/** Runs `retry` when the user allows a device in the browser's settings. `names` must be stable between renders. */
export function useRetryWhenAllowed(failed: boolean, names: readonly DevicePermission[], retry: () => void): void {
  useEffect(() => {
    if (!failed || !navigator.permissions?.query) return;
    const permissions: PermissionStatus[] = [];
    let left = false;
    const changed = (event: Event) => {
      if ((event.target as PermissionStatus).state === 'granted') retry();
    };
    for (const name of names) {
      navigator.permissions.query({ name: name as PermissionName }).then((permission) => {
        if (left) return;
        permissions.push(permission);
        permission.addEventListener('change', changed);
      }, console.warn);
    }
    return () => {
      left = true;
      for (const permission of permissions) permission.removeEventListener('change', changed);
    };
  }, [failed, names, retry]);
}
/** Why a microphone or camera can't be used. */
export type DeviceProblem = 'denied' | 'missing' | 'busy' | 'unsupported' | 'insecure' | 'lost' | 'unknown';

const byErrorName: Readonly<Record<string, DeviceProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  DevicesNotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
  TrackStartError: 'busy',
};

/** Maps a getUserMedia failure to a problem. */
export function deviceProblem(error: unknown): DeviceProblem {
  return (error instanceof Error && byErrorName[error.name]) || 'unknown';
}
