import type { Socket } from 'node:net';

/** The two halves of a passed-on connection end together, however one ends. Both are in `open` for as long as they live. */
export function shareFate(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    // A broken half breaks the other: 'close' follows, which is all there is to say of it.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
