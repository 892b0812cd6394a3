import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { questionOfHash } from '../../../lib/paths.ts';
import type { SessionDetail } from '../session-types.ts';

/** Up to this many answers all start expanded. */
const openMax = 2;

/** Tracks which answers of a session are expanded. A URL that points to a question expands it, and printing expands all. */
export function useFolds(detail: Pick<SessionDetail, 'recordings'> | undefined, kind: SessionKind) {
  const { hash, key } = useLocation();
  const linked = questionOfHash(hash);
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed twice
  useEffect(() => {
    if (linked !== null) setChosen((current) => ({ ...current, [linked]: true }));
  }, [linked, key]);

  useEffect(() => {
    const openAll = () =>
      flushSync(() =>
        setChosen(Object.fromEntries((detail?.recordings ?? []).map(({ questionId }) => [questionId, true]))),
      );
    window.addEventListener('beforeprint', openAll);
    return () => window.removeEventListener('beforeprint', openAll);
  }, [detail?.recordings]);

  const openAtFirst = kind === 'practice' || (detail?.recordings.length ?? 0) <= openMax;
  const isOpen = (questionId: number) => chosen[questionId] ?? openAtFirst;
  return {
    openAtFirst,
    isOpen,
    toggle: (questionId: number) => setChosen({ ...chosen, [questionId]: !isOpen(questionId) }),
    /** Changes each time the URL points to the question; null while it points elsewhere. */
    visitOf: (questionId: number) => (questionId === linked ? key : null),
  };
}
