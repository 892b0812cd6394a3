import type { Socket } from 'node:net';

/** Closes both halves of a proxied connection when either closes. `open` holds both while they are open. */
export function closeTogether(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    // 'close' follows an error, and does the rest.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
