import type { CompileOperator } from './expression.ts';

/** Filled below. */
export const MINGO_OPERATORS: Record<string, CompileOperator> = {};
