import type { EventEmitter } from 'node:events';

/** Every check of a server begins and ends with one of these events of the driver. */
const heartbeatEvents = ['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const;

/** Checks come every 2 s and take 6 s at most. Ticks are counted, not seconds: a suspended machine is no silence. */
const silentTicksMax = 6;

/**
 * Notices that MongoDB's driver has stopped checking its server. It waits for ever where a connection closes just as it writes
 * to it (it awaits a 'drain' that never comes), and from then on every operation fails although the server works.
 * @param onSilence called once, after about 30 s without any check
 * @returns stops watching
 */
export function watchHeartbeats(client: EventEmitter, onSilence: () => void, everyMs = 5000): () => void {
  let silentTicks = 0;
  const onHeartbeat = () => {
    silentTicks = 0;
  };
  for (const event of heartbeatEvents) client.on(event, onHeartbeat);
  const stop = () => {
    clearInterval(timer);
    for (const event of heartbeatEvents) client.off(event, onHeartbeat);
  };
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks < silentTicksMax) return;
    stop();
    onSilence();
  }, everyMs);
  timer.unref();
  return stop;
}
