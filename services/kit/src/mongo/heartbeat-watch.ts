import type { EventEmitter } from 'node:events';

/** The driver emits one of these when a check of a server starts or ends. */
const heartbeatEvents = ['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const;

/** Checks come every 2 s and take 6 s at most. Counts ticks, not seconds, so that suspending a laptop does not count. */
const silentTicksMax = 6;

/**
 * Detects a MongoDB driver that has stopped monitoring its server. After a restart or failover of MongoDB it can hang forever: if
 * the connection closes during a write, it awaits a 'drain' event that never comes, and every later operation fails.
 * @param onSilence called once, after about 30 s without a check
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
