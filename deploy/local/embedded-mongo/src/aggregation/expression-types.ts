import type { CompareStrings } from '../bson/compare.ts';
import type { Doc } from '../bson/values.ts';

/** What an expression sees: the document, and the variables bound so far. A missing value is undefined. */
export interface Scope {
  root: Doc;
  variables: Doc;
}

/** A compiled expression. */
export type Evaluate = (scope: Scope) => unknown;

/** What an expression's meaning depends on besides itself. */
export interface ExpressionContext {
  compareStrings?: CompareStrings | undefined;
  /** Variables of `let`, by name without `$$`. */
  variables?: Doc | undefined;
}

/** What an operator is compiled with: a way to compile its arguments, and the collation. */
export interface Compiler {
  compile: (expression: unknown) => Evaluate;
  /** A compiler within which these variables are known too. */
  bind: (names: readonly string[]) => Compiler;
  compareStrings: CompareStrings | undefined;
}

/** Compiles an operator's argument. Throws where the argument does not fit. */
export type CompileOperator = (argument: unknown, compiler: Compiler) => Evaluate;
