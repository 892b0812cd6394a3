import type { CompileOperator } from './expression.ts';

/** Filled below. */
export const SET_OPERATORS: Record<string, CompileOperator> = {};
