import type { CompileOperator } from './expression.ts';

/** Filled below. */
export const TYPE_OPERATORS: Record<string, CompileOperator> = {};
