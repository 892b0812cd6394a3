/** The MongoDB error codes that this server raises, by name. https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  NotAReplicaSet: 123,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidIndexSpecificationOption: 197,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  MechanismUnavailable: 334,
  UnsupportedOpQueryCommand: 352,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  DatabaseDifferCase: 13297,
  OutOfDiskSpace: 14031,
  IDLFailedToParse: 40414,
  IDLUnknownField: 40415,
} as const;

export type ErrorName = keyof typeof ERROR_CODES;

/** An error for the client. It becomes `{ok: 0, code, codeName, errmsg}` or an entry of `writeErrors`. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the reply, such as `keyPattern` and `keyValue` of a duplicate key. */
  readonly details: Record<string, unknown>;

  constructor(code: number, codeName: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.details = details;
  }
}

export function mongoError(name: ErrorName, message: string, details?: Record<string, unknown>): CommandError {
  return new CommandError(ERROR_CODES[name], name, message, details);
}

/** An error that MongoDB numbers but doesn't name: its codeName is `Location<code>`. */
export function locationError(code: number, message: string): CommandError {
  return new CommandError(code, `Location${code}`, message);
}

/** An error for a MongoDB feature that this server lacks. */
export function notSupported(what: string): CommandError {
  return mongoError('CommandNotSupported', `${what} is not supported by the embedded server`);
}
