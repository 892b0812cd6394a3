import { limits } from '@interview-prep/contracts/api/limits';
import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import type { RecordingModels } from '../models.ts';
import { type Session, withSetOfQuestion } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-set.ts';
import { wordRarity } from './words.ts';

/** Hints for a speech engine: the language, by default `language`, and terms that the answer may contain. */
export async function speechHints(
  whole: Session,
  questionId: number,
  { models, language }: { models: RecordingModels; language: string },
) {
  const session = withSetOfQuestion(whole, questionId);
  const expertAnswer = await findExpertAnswer(session, questionId, models.sets);
  return {
    language: session.language ?? language,
    glossary: sessionGlossary(session, questionId, expertAnswer?.text),
  };
}

/** The parts of a session that make terms likely. */
interface GlossarySource {
  title: string;
  technology: string;
  questions: readonly string[];
  expertAnswers: readonly string[];
  /** The set's own list, edited by admins. */
  vocabulary?: readonly string[] | undefined;
}

/** Words rarer than this are terms; a recognizer already knows common words. */
const termFrom = 0.8;
const term = /[\p{L}\p{N}](?:[\p{L}\p{N}+#'’_/-]|\.(?=[\p{L}\p{N}]))*/gu;
/** Looks like a name or an abbreviation: 'useEffect', 'TCP', 'IPv6', 'C++'. */
const technical = /\p{L}.*\p{Lu}|\p{L}\d|[+#]/u;

/**
 * Terms that an answer to a question may contain, the likeliest first: the set's own list, its technology, then the terms
 * of the question and its expert answer, and after them those of the whole set, rarer ones first.
 */
export function sessionGlossary(source: GlossarySource, questionId: number, expertAnswer = ''): string[] {
  const { title, technology, questions, expertAnswers, vocabulary = [] } = source;
  const own = termsOf([questions[questionId] ?? '', expertAnswer]);
  const others = termsOf([title, ...questions, ...expertAnswers]);
  const named = technology === '' || technology === unknownTechnology ? [] : [technology];
  const seen = new Set<string>();
  return [...vocabulary, ...named, ...own, ...others].filter((each) => {
    const key = keyOf(each);
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Singular and plural are one term. */
const keyOf = (word: string): string => word.toLowerCase().replace(/(?<=\p{L}{3})s$/u, '');

function termsOf(texts: readonly string[]): string[] {
  const rarities = new Map<string, number>();
  for (const [word] of texts.join('\n').matchAll(term)) {
    const plain = word.replace(/['’]s$/u, '');
    const isName = technical.test(plain.slice(0, limits.termMaxLength));
    // A capital at the start of a sentence says nothing.
    const shown = isName ? plain : plain.toLowerCase();
    const rarity = wordRarity(shown.toLowerCase());
    if (/\p{L}/u.test(shown) && shown.length > 1 && (isName || rarity >= termFrom))
      rarities.set(shown, isName ? 1 : rarity);
  }
  return [...rarities].sort(([, a], [, b]) => b - a).map(([word]) => word);
}
