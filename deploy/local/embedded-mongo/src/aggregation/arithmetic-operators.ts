import type { CompileOperator } from './expression.ts';

/** Filled below. */
export const ARITHMETIC_OPERATORS: Record<string, CompileOperator> = {};
