import type { CompileOperator } from './expression.ts';

/** Filled below. */
export const ARRAY_OPERATORS: Record<string, CompileOperator> = {};
