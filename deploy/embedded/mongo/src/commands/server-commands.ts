import { Int32, Long } from 'bson';
import type { Doc } from '../bson/values.ts';
import type { CommandContext } from '../engine.ts';
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from '../wire/message.ts';
import type { CommandTable } from './definition.ts';

/** The MongoDB release that this server emulates, and its wire version. */
const VERSION = { text: '8.0.0', numbers: [8, 0, 0, 0], wire: 25 };
const MAX_WRITE_BATCH = 100_000;
const SESSION_MINUTES = 30;

/** A standalone server reports no replica set, so drivers neither retry writes nor start transactions. */
function hello(command: Doc, { connectionId }: CommandContext): Doc {
  const primary = 'hello' in command ? { isWritablePrimary: true } : { ismaster: true, isWritablePrimary: true };
  return {
    helloOk: true,
    ...primary,
    maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: new Int32(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: new Int32(MAX_WRITE_BATCH),
    localTime: new Date(),
    logicalSessionTimeoutMinutes: new Int32(SESSION_MINUTES),
    connectionId: new Int32(connectionId),
    minWireVersion: new Int32(0),
    maxWireVersion: new Int32(VERSION.wire),
    readOnly: false,
  };
}

const buildInfo = (): Doc => ({
  version: VERSION.text,
  versionArray: VERSION.numbers.map((part) => new Int32(part)),
  gitVersion: 'embedded-mongo',
  modules: ['embedded-mongo'],
  storageEngines: ['sqlite'],
  bits: new Int32(64),
  debug: false,
  maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
});

/** Of MongoDB's statistics, only the call count of each command. */
const serverStatus = (_command: Doc, { engine }: CommandContext): Doc => ({
  metrics: {
    commands: Object.fromEntries(
      [...engine.commandCounts].map(([name, total]) => [name, { total: Long.fromNumber(total) }]),
    ),
  },
});

const nothing = (): Doc => ({});
const CLIENT_FIELDS = [
  'client',
  'compression',
  'saslSupportedMechs',
  'speculativeAuthenticate',
  'topologyVersion',
  'maxAwaitTimeMS',
  'helloOk',
  'loadBalanced',
  'hostInfo',
  'backpressure',
];

const greeting = { fields: CLIENT_FIELDS, run: hello };

export const SERVER_COMMANDS: CommandTable = {
  hello: greeting,
  isMaster: greeting,
  ismaster: greeting,
  ping: { fields: [], run: nothing },
  buildInfo: { fields: [], run: buildInfo },
  serverStatus: { fields: [], run: serverStatus },
  endSessions: { fields: [], run: nothing },
};
