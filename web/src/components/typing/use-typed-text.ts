import { useEffect, useState } from 'react';
import { applyEdit, type TypingStep } from './typing-step.ts';

interface TypedText {
  text: string;
  /** Nothing more will come. */
  done: boolean;
}

const nothing: TypedText = { text: '', done: false };

/**
 * A text that types itself while `typing` is true, from the first step each time. `begin` returns new steps and must be
 * stable while the text is the same: another function clears what was typed.
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
