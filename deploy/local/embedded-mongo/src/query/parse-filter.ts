import { BSONRegExp } from 'bson';
import { compileExpression } from '../aggregation/expression.ts';
import { type Doc, isDoc, isNumber, isTruthy, toBsonRegExp, toNumber } from '../bson/values.ts';
import { mongoError, notSupported } from '../errors.ts';
import { anyValue, type MatchDetails, MISSING } from './paths.ts';
import { equals, matchesRegExp, type PredicateContext, VALUE_OPERATORS, type ValueTest } from './predicates.ts';

/** Judges a document; reports in `details` at which position of an array it matched. */
type Test = (doc: Doc, details?: MatchDetails) => boolean;

/**
 * A parsed filter: a test, and a shape that the planner reads. `path` nodes say what one operator asks of one path;
 * `opaque` nodes are only for testing.
 */
export type Filter =
  | { kind: 'and' | 'or'; children: Filter[]; test: Test }
  | { kind: 'path'; path: string; operator: string; operand: unknown; test: Test }
  | { kind: 'opaque'; test: Test };

/** What a filter's meaning depends on besides itself. */
export interface FilterContext extends PredicateContext {
  /** Variables of `let`, by name, for `$expr`. */
  variables?: Doc | undefined;
  /** Whether an array at the end of a path is only itself, not its elements: what `$elemMatch` asks of each element. */
  wholeValues?: boolean;
}

/** Parses a query. Throws MongoDB's errors for operators that do not exist and operands that do not fit. */
export function parseFilter(query: Doc, context: FilterContext = {}): Filter {
  const children = Object.entries(query).flatMap(([name, value]): Filter[] => {
    if (name.startsWith('$')) return parseTopLevel(name, value, context);
    return parsePath(name, value, context);
  });
  return children.length === 1 ? children[0]! : conjunction(children);
}

function conjunction(children: Filter[]): Filter {
  return { kind: 'and', children, test: (doc, details) => children.every((child) => child.test(doc, details)) };
}

const UNSUPPORTED = new Set([
  '$where',
  '$text',
  '$jsonSchema',
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$sampleRate',
]);

function parseTopLevel(name: string, value: unknown, context: FilterContext): Filter[] {
  switch (name) {
    case '$and':
      return [conjunction(parseList(name, value, context))];
    case '$or': {
      const children = parseList(name, value, context);
      return [{ kind: 'or', children, test: (doc, details) => children.some((child) => child.test(doc, details)) }];
    }
    case '$nor': {
      const children = parseList(name, value, context);
      return [{ kind: 'opaque', test: (doc) => !children.some((child) => child.test(doc)) }];
    }
    case '$expr': {
      const evaluate = compileExpression(value, {
        compareStrings: context.compareStrings,
        variables: context.variables,
      });
      return [{ kind: 'opaque', test: (doc) => isTruthy(evaluate(doc)) }];
    }
    case '$alwaysTrue':
    case '$alwaysFalse':
      return [{ kind: 'opaque', test: () => name === '$alwaysTrue' }];
    case '$comment':
      return [];
    default:
      if (UNSUPPORTED.has(name)) throw notSupported(`The query operator ${name}`);
      throw mongoError(
        'BadValue',
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function parseList(name: string, value: unknown, context: FilterContext): Filter[] {
  if (!Array.isArray(value)) throw mongoError('BadValue', `${name} must be an array`);
  if (value.length === 0) throw mongoError('BadValue', '$and/$or/$nor must be a nonempty array');
  return value.map((item: unknown) => {
    if (!isDoc(item)) throw mongoError('BadValue', `${name} argument's entries must be objects`);
    return parseFilter(item, context);
  });
}

/** Whether a value is a set of operators and not a document to be equal to. */
export function isOperators(value: unknown): value is Doc {
  if (!isDoc(value)) return false;
  const first = Object.keys(value)[0];
  return first !== undefined && /^\$(?!(ref|id|db)$)/.test(first);
}

function parsePath(path: string, value: unknown, context: FilterContext): Filter[] {
  const regExp = toBsonRegExp(value);
  if (regExp) return [valueFilter(path, '$regex', regExp, matchesRegExp(regExp), context)];
  if (!isOperators(value)) return [valueFilter(path, '$eq', value, equals(value, context), context)];
  return Object.keys(value).flatMap((name) => parseOperator(path, name, value, context));
}

function valueFilter(
  path: string,
  operator: string,
  operand: unknown,
  test: ValueTest,
  context: FilterContext,
): Filter {
  const parts = path.split('.');
  const expandLeaf = context.wholeValues !== true;
  return {
    kind: 'path',
    path,
    operator,
    operand,
    test: (doc, details) => anyValue(doc, parts, expandLeaf, test, details),
  };
}

function arrayFilter(
  path: string,
  operator: string,
  operand: unknown,
  test: (array: unknown[], details?: MatchDetails) => boolean,
): Filter {
  const parts = path.split('.');
  return {
    kind: 'path',
    path,
    operator,
    operand,
    test: (doc, details) =>
      anyValue(doc, parts, false, (value) => Array.isArray(value) && test(value, details), details),
  };
}

const negation = (filter: Filter): Filter => ({ kind: 'opaque', test: (doc) => !filter.test(doc) });

type ParseOperator = (path: string, operand: unknown, operators: Doc, context: FilterContext) => Filter[];

/** Operators that need more than one value at a time, or the operators beside them. */
const PATH_OPERATORS: Record<string, ParseOperator> = {
  $ne: (path, operand, _operators, context) => {
    if (toBsonRegExp(operand)) throw mongoError('BadValue', "Can't have regex as arg to $ne.");
    return [negation(valueFilter(path, '$eq', operand, equals(operand, context), context))];
  },
  $in: (path, operand, _operators, context) => [inFilter(path, '$in', operand, context)],
  $nin: (path, operand, _operators, context) => [negation(inFilter(path, '$nin', operand, context))],
  $exists: (path, operand) => {
    const parts = path.split('.');
    const exists: Filter = {
      kind: 'path',
      path,
      operator: '$exists',
      operand: true,
      test: (doc) => anyValue(doc, parts, false, (value) => value !== MISSING),
    };
    return [isTruthy(operand) ? exists : negation(exists)];
  },
  $not: (path, operand, _operators, context) => {
    const regExp = toBsonRegExp(operand);
    if (!regExp && !isOperators(operand)) throw mongoError('BadValue', '$not needs a regex or a document');
    return [negation(conjunction(parsePath(path, operand, context)))];
  },
  $regex: (path, operand, operators, context) => {
    const given = toBsonRegExp(operand);
    if (!given && typeof operand !== 'string') throw mongoError('BadValue', '$regex has to be a string');
    const options = operators.$options === undefined ? (given?.options ?? '') : String(operators.$options);
    const regExp = new BSONRegExp(given?.pattern ?? String(operand), options);
    return [valueFilter(path, '$regex', regExp, matchesRegExp(regExp), context)];
  },
  $options: (_path, _operand, operators) => {
    if (!('$regex' in operators)) throw mongoError('BadValue', '$options needs a $regex');
    return [];
  },
  $size: (path, operand) => {
    const size = isNumber(operand) ? toNumber(operand) : Number.NaN;
    if (!Number.isInteger(size))
      throw mongoError('FailedToParse', `Failed to parse $size. Expected an integer: ${String(operand)}`);
    if (size < 0)
      throw mongoError('BadValue', `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
    return [arrayFilter(path, '$size', operand, (array) => array.length === size)];
  },
  $all: (path, operand, _operators, context) => {
    if (!Array.isArray(operand)) throw mongoError('BadValue', '$all needs an array');
    if (operand.length === 0) return [{ kind: 'opaque', test: () => false }];
    return operand.flatMap((item: unknown) => {
      if (isDoc(item) && '$elemMatch' in item) return parsePath(path, item, context);
      if (isOperators(item)) throw mongoError('BadValue', 'no $ expressions in $all');
      const regExp = toBsonRegExp(item);
      return [
        valueFilter(
          path,
          regExp ? '$regex' : '$eq',
          item,
          regExp ? matchesRegExp(regExp) : equals(item, context),
          context,
        ),
      ];
    });
  },
  $elemMatch: (path, operand, _operators, context) => {
    if (!isDoc(operand)) throw mongoError('BadValue', '$elemMatch needs an Object');
    const test = elementTest(operand, context);
    return [
      arrayFilter(path, '$elemMatch', operand, (array, details) => {
        const found = array.findIndex(test);
        if (found >= 0 && details) details.position = found;
        return found >= 0;
      }),
    ];
  },
};

/** Judges an element of an array: by operators on the element itself, or by a query on its fields. */
export function elementTest(query: Doc, context: FilterContext): (element: unknown) => boolean {
  const first = Object.keys(query)[0];
  if (first?.startsWith('$') && !['$and', '$or', '$nor', '$expr', '$where'].includes(first)) {
    const filter = conjunction(parsePath('element', query, { ...context, wholeValues: true }));
    return (element) => filter.test({ element });
  }
  const filter = parseFilter(query, context);
  return (element) => (isDoc(element) || Array.isArray(element)) && filter.test(asDocument(element));
}

/** An array inside an array is seen as a document whose fields are its positions. */
const asDocument = (element: Doc | unknown[]): Doc =>
  Array.isArray(element) ? { ...(element as unknown as Doc) } : element;

function inFilter(path: string, operator: string, operand: unknown, context: FilterContext): Filter {
  if (!Array.isArray(operand)) throw mongoError('BadValue', `${operator} needs an array`);
  const tests = operand.map((item: unknown) => {
    if (isOperators(item)) throw mongoError('BadValue', `cannot nest $ under ${operator}`);
    const regExp = toBsonRegExp(item);
    return regExp ? matchesRegExp(regExp) : equals(item, context);
  });
  return valueFilter(path, '$in', operand, (value) => tests.some((test) => test(value)), context);
}

function parseOperator(path: string, name: string, operators: Doc, context: FilterContext): Filter[] {
  const operand = operators[name];
  const parse = PATH_OPERATORS[name];
  if (parse) return parse(path, operand, operators, context);
  const make = VALUE_OPERATORS[name];
  if (make) return [valueFilter(path, name, operand, make(operand, context), context)];
  if (name === '$comment') return [];
  if (UNSUPPORTED.has(name)) throw notSupported(`The query operator ${name}`);
  throw mongoError('BadValue', `unknown operator: ${name}`);
}
