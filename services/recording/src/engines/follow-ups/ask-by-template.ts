import type { FollowUpRequest } from '../assessor.ts';
import { numberWords } from './english-words.ts';
import { followUpTemplates } from './follow-up-templates.ts';
import { relationWeight, stemOf, stemsOf, wordWeight } from './word-weight.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that follow a noun. */
const afterNoun = wordsOf('is are was were has have can may must should will of');

/** Words that follow a verb. */
const afterVerb = wordsOf('a an the this that these those its it them their us you');

/** Words that a noun phrase follows. */
const beforeNoun = wordsOf(`
  a an the its their our your every each another
  of in on by for with into from through via per about
`);

/** Words that a singular noun follows. */
const beforeSingular = wordsOf('a an every each another');

/** Verbs that end a noun phrase. Those that are as often nouns are left out. */
const plainVerbs = wordsOf(`
  get gets take takes keep keeps make makes give gives use uses need needs hold holds run runs return returns
  create creates contain contains live lives wait waits become becomes using
  absorbs adapt adapts agree agrees appends arrives begins believes belongs collapses comes come compares consists
  continues couples covers depends disappears drops ends enters exits expires fails finish finishes fits forks goes grow
  grows happens ignores includes keeps lasts lets loses means merges moves multiplexes overlap overlaps paints prevents
  reaches receives refers refills rejects remains renders repeats requires reserves responds restarts rise says
  schedules sees shows starts stay stays stops survives tells tracks triggers turns unmounts warns works
`);

/** Words that say how, when or where, after a noun. */
const afterthoughts = wordsOf(`
  alone apart away back beyond consistent deep early exhaustive idempotent larger later longer meanwhile outwards
  safe shorter smaller stable together twice unknown unreachable visible
`);

/** Nouns that mean little outside the sentence, and adjectives left without a noun. */
const vagueHeads = wordsOf(`
  absence address average boundary case choice choices content current distance dot end exactly example flight flow
  front gain hot impact length level longest maximum middle minimum nearest newer norm nothing original parallel practice
  quality rate rest side smallest solution sources space spot standard state succession sum target thousands trade
  typical way weak
  absolute asynchronous binary concurrent contiguous static uncaught
`);

/** A term of a point. */
interface Topic {
  text: string;
  /** The stems of its content words. */
  stems: readonly string[];
  /** The sum of its words' weights. */
  weight: number;
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}+#_'’-]*(?:\.[\p{L}\p{N}]+)*(?:\(\))?|[^\s\p{L}\p{N}]/gu;
const wordsMax = 3;
/** A term has at least one word of its subject, or two words of software in general. */
const leastWeight = 1;

const weigh = (word: string) => wordWeight(word.toLowerCase(), stemOf(word.toLowerCase()));
const isContent = (word: string) =>
  /\p{L}/u.test(word) && weigh(word) > relationWeight && !numberWords.has(word.toLowerCase());

/** Matches adverbs by their ending, but not 'family' or 'assembly'. */
const adverbPattern = /(?:arly|ally|ably|ibly|ctly|edly|enly|ely|ingly|ntly|ously)$/i;
const isAfterthought = (word: string) => afterthoughts.has(word.toLowerCase()) || adverbPattern.test(word);

/** The words after `lead` that name a thing, without a verb or an afterthought at the end. */
function nounWords(words: readonly string[], lead: string, next: string | undefined): readonly string[] {
  const follows = next?.toLowerCase() ?? '';
  const verbAt = words.findIndex((word, index) => index > 0 && plainVerbs.has(word.toLowerCase()));
  if (verbAt > 0) return words.slice(0, verbAt);
  if (lead === '' && !afterNoun.has(follows)) return [];
  if (afterVerb.has(follows)) return words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const isParticiple = /(?:ed|ing)$/i.test(last);
  const endsInVerb = isParticiple || (beforeSingular.has(lead) && /[^s]s$/i.test(last));
  return words.length > 1 && endsInVerb && !afterNoun.has(follows) ? words.slice(0, -1) : words;
}

/** Finds the English terms that a point is about, with their modifiers, most specific first. */
export function findTopics(point: string): Topic[] {
  const words = [...point.replaceAll('`', '').matchAll(wordPattern)].map(([word]) => word);
  const topics: Topic[] = [];
  for (let at = 0; at < words.length; at++) {
    const lead = at === 0 ? '' : words[at - 1]!.toLowerCase();
    if (at > 0 && !beforeNoun.has(lead)) continue;
    let end = at;
    while (end < words.length && isContent(words[end]!)) end += 1;
    if (end === at || end - at > wordsMax) continue;
    const found = nounWords(words.slice(at, end), lead, words[end]);
    const noun = found.slice(0, found.findLastIndex((word) => !isAfterthought(word)) + 1);
    if (vagueHeads.has(noun.at(-1)?.toLowerCase() ?? '')) continue;
    const weight = noun.reduce((sum, word) => sum + weigh(word), 0);
    if (weight < leastWeight || noun.join('').length < 3) continue;
    const [first = '', ...rest] = noun;
    // A capital at the start of a sentence carries no meaning.
    const text = [at === 0 && /^\p{Lu}\p{Ll}+$/u.test(first) ? first.toLowerCase() : first, ...rest].join(' ');
    topics.push({ text, stems: noun.map((word) => stemOf(word.toLowerCase())), weight });
  }
  return topics.toSorted((a, b) => b.weight - a.weight);
}

/**
 * Fills in a template: it names a term of the point and asks what this kind of point says about it. Terms that
 * the answer did not mention come first; terms of the question itself are skipped.
 * @returns null if the language has no templates, or the point has no such term
 */
export function askByTemplate({ question, transcript, point, language }: FollowUpRequest): string | null {
  const templates = followUpTemplates[language];
  if (!templates) return null;
  const asked = stemsOf(question);
  const said = stemsOf(transcript);
  const topics = findTopics(point).filter(({ stems }) => !stems.every((stem) => asked.has(stem)));
  const isNamed = ({ stems }: (typeof topics)[number]) => stems.every((stem) => said.has(stem));
  const topic = topics.find((each) => !isNamed(each)) ?? topics[0];
  if (!topic) return null;
  const kind = templates.kinds.find(({ cue }) => cue.test(point));
  const text = `${isNamed(topic) ? templates.named : templates.unnamed} ${kind?.question ?? templates.otherwise}`;
  return text.replace('{topic}', topic.text);
}
