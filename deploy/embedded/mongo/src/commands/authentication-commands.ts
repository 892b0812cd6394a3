import { Binary, Int32 } from 'bson';
import type { Doc } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import type { CommandTable } from './definition.ts';

/** The text of a SASL message. @throws {CommandError} TypeMismatch */
function payloadOf({ payload }: Doc): string {
  if (payload instanceof Binary) return Buffer.from(payload.buffer.subarray(0, payload.position)).toString();
  throw mongoError('TypeMismatch', "BSON field 'payload' is the wrong type, expected type 'binData'");
}

const answer = (text: string, done: boolean): Doc => ({
  conversationId: new Int32(1),
  done,
  payload: new Binary(Buffer.from(text)),
});

/** Sign-in by SCRAM-SHA-256. The client saves the empty last round. */
export const AUTHENTICATION_COMMANDS: CommandTable = {
  saslStart: {
    fields: ['mechanism', 'payload', 'options', 'autoAuthorize', 'db'],
    run: (command, { engine, connectionId }) => {
      if (command.mechanism !== 'SCRAM-SHA-256') {
        throw mongoError(
          'MechanismUnavailable',
          `Received authentication for mechanism ${String(command.mechanism)} which is not enabled`,
        );
      }
      return answer(engine.accounts.begin(connectionId, payloadOf(command)), false);
    },
  },
  saslContinue: {
    fields: ['conversationId', 'payload'],
    run: (command, { engine, connectionId }) => answer(engine.accounts.finish(connectionId, payloadOf(command)), true),
  },
};
