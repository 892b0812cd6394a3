import { isDoc } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import type { CompileOperator, Compiler, Evaluate } from './expression-types.ts';

/** How many arguments an operator takes: exactly, or from and to. */
export type Arity = number | readonly [least: number, most: number];

/** An operator whose arguments are all evaluated before it runs. A single argument may come without its array. */
export function eager(
  name: string,
  arity: Arity,
  apply: (values: unknown[], compiler: Compiler) => unknown,
): CompileOperator {
  const [least, most] = typeof arity === 'number' ? [arity, arity] : arity;
  return (argument, compiler) => {
    const items: unknown[] = Array.isArray(argument) ? argument : [argument];
    if (items.length < least || items.length > most) {
      throw locationError(
        16020,
        `Expression ${name} takes ${least === most ? `exactly ${least}` : `at least ${least}`} arguments. ${items.length} were passed in.`,
      );
    }
    const compiled = items.map(compiler.compile);
    return (scope) =>
      apply(
        compiled.map((item) => item(scope)),
        compiler,
      );
  };
}

/** An operator whose arguments are named. Required ones come first; throws for others. */
export function named<Required extends string, Optional extends string>(
  name: string,
  required: readonly Required[],
  optional: readonly Optional[],
  build: (given: Record<Required, Evaluate> & Partial<Record<Optional, Evaluate>>) => Evaluate,
): CompileOperator {
  return (argument, compiler) => {
    if (!isDoc(argument)) throw locationError(40075, `${name} requires an object as an argument`);
    const known: string[] = [...required, ...optional];
    const unknown = Object.keys(argument).find((key) => !known.includes(key));
    if (unknown) throw locationError(40078, `Unrecognized argument to ${name}: ${unknown}`);
    const lacking = required.find((key) => !(key in argument));
    if (lacking) throw locationError(40080, `Missing '${lacking}' parameter to ${name}`);
    const compiled = Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, compiler.compile(value)]));
    return build(compiled as Record<Required, Evaluate> & Partial<Record<Optional, Evaluate>>);
  };
}

/** Whether a value is null or missing, which most operators hand on as null. */
export const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined;
