import type { CompareStrings } from '../bson/compare.ts';
import type { Doc } from '../bson/values.ts';

/** A compiled expression: computes a value from a document. A missing value is undefined. */
export type Evaluate = (doc: Doc) => unknown;

/** What an expression depends on besides its document. */
export interface ExpressionContext {
  compareStrings?: CompareStrings | undefined;
  /** Variables of `let`, by name without `$$`. */
  variables?: Doc | undefined;
}

/** Compiles an operator's argument. `compile` compiles the expressions in it. */
export type CompileOperator = (
  argument: unknown,
  context: ExpressionContext,
  compile: (expression: unknown) => Evaluate,
) => Evaluate;
