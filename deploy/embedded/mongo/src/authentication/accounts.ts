import { mongoError } from '../errors.ts';
import { beginScram, type ScramCredentials, type ScramExchange, scramCredentials } from './scram.ts';

/** A right on a database: unrestricted, or only inserting and reading. */
export type Right = 'all' | 'append';

/** An account. `rights` by database; `*` is every database. */
export interface Account {
  user: string;
  password: string;
  rights: Readonly<Record<string, Right>>;
}

/** Commands that need no authentication: handshake, authentication and goodbye. */
const OPEN_COMMANDS = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'saslStart',
  'saslContinue',
  'endSessions',
]);

/** Commands that the append right allows. Indexes are created with the collection: a TTL index could delete existing documents. */
const APPEND_COMMANDS = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'explain',
  'getMore',
  'killCursors',
  'insert',
  'listCollections',
  'listIndexes',
]);

interface Session {
  exchange?: ScramExchange;
  account?: Account;
}

/** The authenticated account of each connection. */
export class Accounts {
  readonly #accounts = new Map<string, { account: Account; credentials: ScramCredentials }>();
  readonly #sessions = new Map<number, Session>();

  constructor(accounts: readonly Account[]) {
    for (const account of accounts) {
      this.#accounts.set(account.user, { account, credentials: scramCredentials(account.password) });
    }
  }

  forget(connectionId: number): void {
    this.#sessions.delete(connectionId);
  }

  /** @returns the server's first message @throws {CommandError} AuthenticationFailed */
  begin(connectionId: number, clientFirst: string): string {
    const exchange = beginScram(clientFirst, (user) => this.#accounts.get(user)?.credentials);
    if (!exchange) throw refused();
    this.#sessions.set(connectionId, { exchange });
    return exchange.serverFirst;
  }

  /** Finishes authentication. @returns the server's last message @throws {CommandError} AuthenticationFailed */
  finish(connectionId: number, clientFinal: string): string {
    const { exchange } = this.#sessions.get(connectionId) ?? {};
    this.#sessions.delete(connectionId);
    const serverFinal = exchange?.finish(clientFinal);
    const account = exchange && this.#accounts.get(exchange.user)?.account;
    if (!serverFinal || !account) throw refused();
    this.#sessions.set(connectionId, { account });
    return serverFinal;
  }

  /**
   * @param exists whether the command's collection exists
   * @throws {CommandError} Unauthorized if the connection's account may not run the command on the database
   */
  authorize(connectionId: number, command: string, db: string, exists: () => boolean): void {
    if (this.#accounts.size === 0 || OPEN_COMMANDS.has(command)) return;
    const { account } = this.#sessions.get(connectionId) ?? {};
    if (!account) throw mongoError('Unauthorized', `Command ${command} requires authentication`);
    const right = account.rights[db] ?? account.rights['*'];
    if (right === 'all' || (right === 'append' && mayAppend(command, exists))) return;
    throw mongoError('Unauthorized', `not authorized on ${db} to execute command ${command}`);
  }
}

const mayAppend = (command: string, exists: () => boolean): boolean =>
  APPEND_COMMANDS.has(command) || (command === 'createIndexes' && !exists());

const refused = (): Error => mongoError('AuthenticationFailed', 'Authentication failed.');
