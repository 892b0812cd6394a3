/**
 * Node's HTTP module. An `import` of it reads all that it exports, among them WebSocket, and so loads undici, Node's `fetch`:
 * 4 MB of each process's memory.
 */
export const http = process.getBuiltinModule('node:http');
