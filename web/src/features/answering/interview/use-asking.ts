import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { textParts } from '../../../components/marked-text.tsx';
import { readAloud } from '../reading/read-aloud.ts';

/** A question as read aloud: inline code is read, and a code block is replaced by a hint to look at it. */
export function spokenQuestion(question: string): string {
  return textParts(question.trim())
    .map(({ kind, text }) => (kind === 'block' ? ' See the code on the screen. ' : text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The step between a question and its recording; null for none. `untilMs`: milliseconds since 1970. */
export type AskingStep = { name: 'reading' } | { name: 'thinking'; untilMs: number } | null;

interface Asking {
  /** Whether a question is being asked; each starts with the first step. */
  active: boolean;
  question: string;
  /** ISO 639-1. */
  language: string;
  readsAloud: boolean;
  /** 0 for none. */
  thinkingSeconds: number;
  /** Must be stable between renders. */
  onReady: () => void;
}

/** Reads a question aloud, counts down the thinking time, then calls `onReady`. Both steps are optional. */
export function useAsking({ active, question, language, readsAloud, thinkingSeconds, onReady }: Asking): AskingStep {
  const [step, setStep] = useState<AskingStep>(null);
  const think = useCallback(() => {
    if (thinkingSeconds === 0) return onReady();
    setStep({ name: 'thinking', untilMs: Date.now() + thinkingSeconds * 1000 });
  }, [thinkingSeconds, onReady]);

  // Before the page is painted, so that without any step the recording starts at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is on when the question is asked
  useLayoutEffect(() => {
    if (!active) setStep(null);
    else if (readsAloud) setStep({ name: 'reading' });
    else think();
  }, [active]);

  const reading = active && step?.name === 'reading';
  useEffect(() => {
    if (!reading) return;
    if (!readsAloud) return think();
    const stop = new AbortController();
    void readAloud(spokenQuestion(question), language, stop.signal).then(() => {
      if (!stop.signal.aborted) think();
    });
    return () => stop.abort();
  }, [reading, readsAloud, question, language, think]);

  const untilMs = active && step?.name === 'thinking' ? step.untilMs : null;
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setTimeout(onReady, Math.max(0, untilMs - Date.now()));
    return () => clearTimeout(timer);
  }, [untilMs, onReady]);

  return active ? step : null;
}
