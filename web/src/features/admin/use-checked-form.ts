import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useInFlight } from './use-deletion.tsx';

/** Messages by the path of their field: `title`, `questions.3`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The first message of each path. */
function fieldErrors(issues: readonly { path: string | readonly PropertyKey[]; message: string }[]): FieldErrors {
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

export interface CheckedForm<Body> {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors;
  /** Why the server refused the form as a whole. */
  refusal: ApiError | undefined;
  busy: boolean;
  /** Validates, then calls `send`, which resolves to the server's error if it refused. Ignored while a request runs. */
  submit: (event: FormEvent, send: (body: Body) => Promise<ApiError | undefined>) => void;
  /** Sends without validating; errors show as after `submit`. */
  attempt: (send: () => Promise<ApiError | undefined>) => void;
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
