import type { CompareStrings } from '../bson/compare.ts';
import { type Doc, getField, isDoc, setField } from '../bson/values.ts';
import { CommandError, locationError, mongoError, notSupported } from '../errors.ts';
import { FOLD_OPERATORS } from './accumulators.ts';
import { ARITHMETIC_OPERATORS } from './arithmetic-operators.ts';
import { ARRAY_OPERATORS } from './array-operators.ts';
import { DATE_OPERATORS } from './date-operators.ts';
import type { CompileOperator, Compiler, Evaluate, ExpressionContext } from './expression-types.ts';
import { LOGIC_OPERATORS } from './logic-operators.ts';
import { MINGO_OPERATORS } from './mingo-operators.ts';
import { SCOPE_OPERATORS } from './scope-operators.ts';
import { SET_OPERATORS } from './set-operators.ts';
import { STRING_OPERATORS } from './string-operators.ts';
import { TYPE_OPERATORS } from './type-operators.ts';

const OPERATORS = new Map<string, CompileOperator>(
  [
    LOGIC_OPERATORS,
    SCOPE_OPERATORS,
    ARITHMETIC_OPERATORS,
    ARRAY_OPERATORS,
    SET_OPERATORS,
    TYPE_OPERATORS,
    STRING_OPERATORS,
    DATE_OPERATORS,
    FOLD_OPERATORS,
    MINGO_OPERATORS,
  ].flatMap((table) => Object.entries(table)),
);

/** Real expression operators of MongoDB that are not done here: refused by another code than inventions are. */
const KNOWN_ELSEWHERE =
  /^\$(accumulator|function|meta|sampleRate|toHashedIndexKey|tsIncrement|tsSecond|binarySize|bsonSize|percentile|median|bit(And|Or|Xor|Not)|denseRank|rank|documentNumber|shift|derivative|integral|expMovingAvg|linearFill|locf|covariance(Pop|Samp))$/;

/** Compiles an aggregation expression into a function of a document. Throws MongoDB's errors for unknown operators. */
export function compileExpression(expression: unknown, context: ExpressionContext = {}): (doc: Doc) => unknown {
  const evaluate = createCompiler(context).compile(expression);
  const variables = context.variables ?? {};
  return (root) => evaluate({ root, variables });
}

/** A compiler of expressions under one collation, in which the context's variables are known. */
export function createCompiler({ compareStrings, variables }: ExpressionContext): Compiler {
  return compilerWith(new Set(Object.keys(variables ?? {})), compareStrings);
}

function compilerWith(known: ReadonlySet<string>, compareStrings: CompareStrings | undefined): Compiler {
  const bind = (names: readonly string[]): Compiler => compilerWith(new Set([...known, ...names]), compareStrings);
  const compiler: Compiler = { compile, bind, compareStrings };
  return compiler;

  function compile(part: unknown): Evaluate {
    if (typeof part === 'string' && part.startsWith('$')) return compilePath(part, known);
    if (Array.isArray(part)) {
      const items = part.map((item) => compile(item));
      return (scope) => items.map((item) => item(scope) ?? null);
    }
    if (!isDoc(part)) return () => part;
    const name = Object.keys(part)[0];
    return name?.startsWith('$') ? compileOperator(part, name) : compileObject(part);
  }

  function compileOperator(part: Doc, name: string): Evaluate {
    if (Object.keys(part).length > 1) {
      throw locationError(15983, 'An object representing an expression must have exactly one field');
    }
    const operator = OPERATORS.get(name);
    if (operator) return operator(part[name], compiler);
    if (KNOWN_ELSEWHERE.test(name)) throw notSupported(`The expression operator ${name}`);
    throw new CommandError(168, 'InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  }

  function compileObject(part: Doc): Evaluate {
    const fields = Object.entries(part).map(([name, value]) => {
      if (name.startsWith('$'))
        throw locationError(
          16410,
          `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
        );
      if (name.includes('.'))
        throw locationError(16412, "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
      return [name, compile(value)] as const;
    });
    return (scope) => {
      const result: Doc = {};
      for (const [name, evaluateField] of fields) {
        const value = evaluateField(scope);
        if (value !== undefined) setField(result, name, value);
      }
      return result;
    };
  }
}

function compilePath(text: string, known: ReadonlySet<string>): Evaluate {
  if (!text.startsWith('$$')) {
    const parts = splitPath(text.slice(1));
    return (scope) => valueAtPath(scope.root, parts);
  }
  const [name = '', ...rest] = text.slice(2).split('.');
  const parts = rest.length ? splitPath(rest.join('.')) : [];
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return (scope) => valueAtPath(scope.root, parts);
    case 'REMOVE':
      return () => undefined;
    case 'NOW':
      return (scope) => scope.variables.NOW ?? new Date();
    default:
      if (!/^[a-z\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*$/u.test(name)) {
        if (/^(KEEP|PRUNE|DESCEND|CLUSTER_TIME|USER_ROLES|SEARCH_META)$/.test(name))
          throw notSupported(`The variable $$${name}`);
        throw mongoError('FailedToParse', `'${name}' starts with an invalid character for a user variable name`);
      }
      if (!known.has(name)) throw locationError(17276, `Use of undefined variable: ${name}`);
      return (scope) => valueAtPath(scope.variables[name], parts);
  }
}

function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (path === '') throw locationError(16872, "'$' by itself is not a valid FieldPath");
  if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
  const dollar = parts.find((part) => part.startsWith('$'));
  if (dollar)
    throw locationError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  return parts;
}

/** An expression's path: over an array it is mapped, without positions, and elements that lack it are left out. */
export function valueAtPath(value: unknown, parts: readonly string[], from = 0): unknown {
  if (from === parts.length) return value;
  if (isDoc(value)) return valueAtPath(getField(value, parts[from]!), parts, from + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const found = isDoc(item) ? valueAtPath(item, parts, from) : undefined;
    return found === undefined ? [] : [found];
  });
}
