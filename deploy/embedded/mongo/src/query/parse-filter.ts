import { BSONRegExp } from 'bson';
import { type Doc, isDoc, isTruthy, toBsonRegExp } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { anyValue, MISSING } from './paths.ts';
import { COMPARISONS, equals, matchesRegExp, type ValueTest } from './predicates.ts';

type Test = (doc: Doc) => boolean;

/**
 * A parsed filter: a test function, and a structure for the planner. A `path` node applies one operator to one path. An
 * `opaque` node can only be tested.
 */
export type Filter =
  | { kind: 'and' | 'or'; children: Filter[]; test: Test }
  | { kind: 'path'; path: string; operator: string; operand: unknown; test: Test }
  | { kind: 'opaque'; operator: string; test: Test };

/**
 * Parses a query.
 * @throws {CommandError} BadValue for unsupported operators and invalid operands
 */
export function parseFilter(query: Doc): Filter {
  const children = Object.entries(query).flatMap(([name, value]): Filter[] =>
    name.startsWith('$') ? parseLogical(name, value) : parsePath(name, value),
  );
  return children.length === 1 ? children[0]! : conjunction(children);
}

function conjunction(children: Filter[]): Filter {
  return { kind: 'and', children, test: (doc) => children.every((child) => child.test(doc)) };
}

function parseLogical(name: string, value: unknown): Filter[] {
  switch (name) {
    case '$and':
      return [conjunction(parseList(name, value))];
    case '$or': {
      const children = parseList(name, value);
      return [{ kind: 'or', children, test: (doc) => children.some((child) => child.test(doc)) }];
    }
    case '$comment':
      return [];
    default:
      throw mongoError(
        'BadValue',
        `unknown top level operator: ${name}. The embedded server supports $and, $or, $comment.`,
      );
  }
}

function parseList(name: string, value: unknown): Filter[] {
  if (!Array.isArray(value)) throw mongoError('BadValue', `${name} must be an array`);
  if (value.length === 0) throw mongoError('BadValue', '$and/$or/$nor must be a nonempty array');
  return value.map((item: unknown) => {
    if (!isDoc(item)) throw mongoError('BadValue', `${name} argument's entries must be objects`);
    return parseFilter(item);
  });
}

/** Whether a value is a document of operators, rather than a document to compare with. */
export function isOperators(value: unknown): value is Doc {
  if (!isDoc(value)) return false;
  const first = Object.keys(value)[0];
  return first !== undefined && /^\$(?!(ref|id|db)$)/.test(first);
}

/** With `wholeValues`, an array at the end of a path is matched only as a whole, not by element. `$pull` needs this. */
function parsePath(path: string, value: unknown, wholeValues = false): Filter[] {
  const regExp = toBsonRegExp(value);
  if (regExp) return [valueFilter(path, '$regex', regExp, matchesRegExp(regExp), wholeValues)];
  if (!isOperators(value)) return [valueFilter(path, '$eq', value, equals(value), wholeValues)];
  return Object.keys(value).flatMap((name) => parseOperator(path, name, value, wholeValues));
}

function valueFilter(path: string, operator: string, operand: unknown, test: ValueTest, wholeValues: boolean): Filter {
  const parts = path.split('.');
  return { kind: 'path', path, operator, operand, test: (doc) => anyValue(doc, parts, !wholeValues, test) };
}

function negation(operator: string, filter: Filter): Filter {
  return { kind: 'opaque', operator, test: (doc) => !filter.test(doc) };
}

type ParseOperator = (path: string, operand: unknown, operators: Doc, wholeValues: boolean) => Filter[];

/** Operators that are not a comparison with one value, or that depend on sibling operators. */
const PATH_OPERATORS: Record<string, ParseOperator> = {
  $ne: (path, operand, _operators, wholeValues) => {
    if (toBsonRegExp(operand)) throw mongoError('BadValue', "Can't have regex as arg to $ne.");
    return [negation('$ne', valueFilter(path, '$eq', operand, equals(operand), wholeValues))];
  },
  $in: (path, operand, _operators, wholeValues) => [inFilter(path, '$in', operand, wholeValues)],
  $nin: (path, operand, _operators, wholeValues) => [negation('$nin', inFilter(path, '$nin', operand, wholeValues))],
  $exists: (path, operand) => {
    const parts = path.split('.');
    const exists: Filter = {
      kind: 'path',
      path,
      operator: '$exists',
      operand: true,
      test: (doc) => anyValue(doc, parts, false, (value) => value !== MISSING),
    };
    return [isTruthy(operand) ? exists : negation('$exists: false', exists)];
  },
  $not: (path, operand, _operators, wholeValues) => {
    const regExp = toBsonRegExp(operand);
    if (!regExp && !isOperators(operand)) throw mongoError('BadValue', '$not needs a regex or a document');
    return [negation('$not', conjunction(parsePath(path, operand, wholeValues)))];
  },
  $regex: (path, operand, operators, wholeValues) => {
    const given = toBsonRegExp(operand);
    if (!given && typeof operand !== 'string') throw mongoError('BadValue', '$regex has to be a string');
    const options = operators.$options === undefined ? (given?.options ?? '') : String(operators.$options);
    const regExp = new BSONRegExp(given?.pattern ?? String(operand), options);
    return [valueFilter(path, '$regex', regExp, matchesRegExp(regExp), wholeValues)];
  },
  $options: (_path, _operand, operators) => {
    if (!('$regex' in operators)) throw mongoError('BadValue', '$options needs a $regex');
    return [];
  },
};

/** Tests an element of an array: with operators on the element itself, or with a query on its fields. */
export function elementTest(query: Doc): (element: unknown) => boolean {
  if (isOperators(query) && !['$and', '$or'].includes(Object.keys(query)[0]!)) {
    const filter = conjunction(parsePath('element', query, true));
    return (element) => filter.test({ element });
  }
  const filter = parseFilter(query);
  return (element) => isDoc(element) && filter.test(element);
}

function inFilter(path: string, operator: string, operand: unknown, wholeValues: boolean): Filter {
  if (!Array.isArray(operand)) throw mongoError('BadValue', `${operator} needs an array`);
  const tests = operand.map((item: unknown) => {
    if (isOperators(item)) throw mongoError('BadValue', `cannot nest $ under ${operator}`);
    const regExp = toBsonRegExp(item);
    return regExp ? matchesRegExp(regExp) : equals(item);
  });
  return valueFilter(path, '$in', operand, (value) => tests.some((test) => test(value)), wholeValues);
}

function parseOperator(path: string, name: string, operators: Doc, wholeValues: boolean): Filter[] {
  const operand = operators[name];
  const parse = PATH_OPERATORS[name];
  if (parse) return parse(path, operand, operators, wholeValues);
  const compare = COMPARISONS[name];
  if (compare) return [valueFilter(path, name, operand, compare(operand), wholeValues)];
  const supported = [...Object.keys(COMPARISONS), ...Object.keys(PATH_OPERATORS)].join(', ');
  throw mongoError('BadValue', `unknown operator: ${name}. The embedded server supports ${supported}.`);
}
