import { useEffect, useState } from 'react';
import { applyEdit, type TypingStep } from './typing-step.ts';

interface TypedText {
  text: string;
  /** Whether typing has finished. */
  done: boolean;
}

const nothing: TypedText = { text: '', done: false };

/**
 * Types a text while `typing` is true, each time from the first step. `begin` returns fresh steps and must be stable for
 * the same text: a new function clears the typed text.
 */
export function useTypedText(begin: () => Iterator<TypingStep>, typing: boolean): TypedText {
  const [typed, setTyped] = useState({ begin, ...nothing });

  useEffect(() => {
    if (!typing) return;
    const steps = begin();
    let text = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      const { value: step, done } = steps.next();
      setTyped({ begin, text, done: done === true });
      if (done) return;
      timer = setTimeout(() => {
        text = applyEdit(text, step.edit);
        next();
      }, step.waitMs);
    };
    next();
    return () => clearTimeout(timer);
  }, [begin, typing]);

  return typed.begin === begin ? typed : nothing;
}
