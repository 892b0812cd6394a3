import { runCommand } from './commands/run-command.ts';
import { errorReply } from './commands/write-errors.ts';
import type { Engine } from './engine.ts';
import { mongoError } from './errors.ts';
import { OPCODES, type Request } from './wire/message.ts';
import { writeReply } from './wire/reply.ts';

const GREETINGS = ['hello', 'isMaster', 'ismaster'];

/** Runs a request and encodes its reply. A reply that is too large becomes an error. */
export function answerRequest(engine: Engine, request: Request, connectionId: number, responseId: number): Buffer {
  const [name = ''] = Object.keys(request.command);
  const isAllowed = request.opcode === OPCODES.message || GREETINGS.includes(name);
  const reply = isAllowed ? runCommand(engine, request.command, connectionId) : errorReply(legacyCommand(name));
  try {
    return writeReply(request, responseId, reply);
  } catch (error) {
    return writeReply(request, responseId, errorReply(error));
  }
}

const legacyCommand = (name: string): Error =>
  mongoError(
    'UnsupportedOpQueryCommand',
    `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
  );
