import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useInFlight } from './use-deletion.tsx';

/** Messages by field path: `title`, `questions.3`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Keeps the first message of each path. */
function fieldErrors(issues: readonly { path: string | readonly PropertyKey[]; message: string }[]): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = typeof path === 'string' ? path : path.map(String).join('.');
    errors[name] ??= message;
  }
  return errors;
}

/** The message of a field, or of the first field nested in it. */
export function errorWithin(errors: FieldErrors, name: string): string | undefined {
  return errors[name] ?? Object.entries(errors).find(([path]) => path.startsWith(`${name}.`))?.[1];
}

export interface CheckedForm<Body> {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors;
  /** The server's form-level error. */
  refusal: ApiError | undefined;
  busy: boolean;
  /** Validates, then calls `send`, which resolves to the server's error if rejected. Ignored while a request is in flight. */
  submit: (event: FormEvent, send: (body: Body) => Promise<ApiError | undefined>) => void;
  /** Sends without validating; errors are shown as after `submit`. */
  attempt: (send: () => Promise<ApiError | undefined>) => void;
  reset: () => void;
}

/**
 * A form validated by its contract. Errors are shown from the first attempt on and follow the input; server errors
 * stay until the input changes. The first invalid field gets the focus.
 */
export function useCheckedForm<Body>(schema: z.ZodType<Body>, input: unknown): CheckedForm<Body> {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const [refused, setRefused] = useState<{ input: string; error: ApiError } | null>(null);
  const [busy, run] = useInFlight();
  const checked = schema.safeParse(input);
  const found = attempts > 0 && !checked.success ? fieldErrors(checked.error.issues) : {};
  const error = refused?.input === JSON.stringify(input) ? refused.error : undefined;

  useEffect(() => {
    if (attempts === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  const attempt: CheckedForm<Body>['attempt'] = (send) =>
    void run(async () => {
      const refusal = await send();
      setRefused(refusal ? { input: JSON.stringify(input), error: refusal } : null);
    });

  return {
    form,
    errors: { ...found, ...fieldErrors(error?.details ?? []) },
    refusal: error?.details ? undefined : error,
    busy,
    attempt,
    submit: (event, send) => {
      event.preventDefault();
      if (!checked.success) {
        setAttempts((count) => count + 1);
        return;
      }
      attempt(() => send(checked.data));
    },
    reset: () => {
      setAttempts(0);
      setRefused(null);
    },
  };
}
