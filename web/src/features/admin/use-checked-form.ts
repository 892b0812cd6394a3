import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useInFlight } from './use-deletion.tsx';

/** Messages by the path of their field: `title`, `questions.3`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The first message of each path. */
export function fieldErrors(
  issues: readonly { path: string | readonly PropertyKey[]; message: string }[],
): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = typeof path === 'string' ? path : path.map(String).join('.');
    errors[name] ??= message;
  }
  return errors;
}

/** The message of a field, or of the first thing inside it. */
export function errorWithin(errors: FieldErrors, name: string): string | undefined {
  return errors[name] ?? Object.entries(errors).find(([path]) => path.startsWith(`${name}.`))?.[1];
}

interface CheckedForm<Body> {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors;
  busy: boolean;
  /** Validates, then calls `send`, which resolves to the server's error if it refused. Ignored while a request runs. */
  submit: (event: FormEvent, send: (body: Body) => Promise<ApiError | undefined>) => void;
  /** Clears the errors. */
  reset: () => void;
}

/**
 * A form validated by its contract. Errors show from the first attempt on and follow the input; errors from the server
 * show until the input changes. The first invalid field gets the focus.
 */
export function useCheckedForm<Body>(schema: z.ZodType<Body>, input: unknown): CheckedForm<Body> {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const [refused, setRefused] = useState<{ input: string; errors: FieldErrors } | null>(null);
  const [busy, run] = useInFlight();
  const checked = schema.safeParse(input);
  const found = attempts > 0 && !checked.success ? fieldErrors(checked.error.issues) : {};
  const errors = refused?.input === JSON.stringify(input) ? { ...found, ...refused.errors } : found;

  useEffect(() => {
    if (attempts === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  return {
    form,
    errors,
    busy,
    submit: (event, send) => {
      event.preventDefault();
      if (!checked.success) {
        setAttempts((count) => count + 1);
        return;
      }
      void run(async () => {
        const error = await send(checked.data);
        if (error?.details) setRefused({ input: JSON.stringify(input), errors: fieldErrors(error.details) });
      });
    },
    reset: () => {
      setAttempts(0);
      setRefused(null);
    },
  };
}
