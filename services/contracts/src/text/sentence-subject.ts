const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words that start something other than a subject: a condition, an aside, an imperative, a pronoun. */
const notSubjects = words(
  'i you we he she it they this that these those here there one both each either neither another other others such its their my your our so then thus hence and but or nor yet if when whenever once while whereas because since after before until unless as where wherever although though whether at in on for with by under during without within from to into of per via over above below across between among beyond besides unlike like despite instead only even not never always often usually sometimes first second third two three four five six seven finally next also too therefore however otherwise what which who why how use avoid prefer keep make put run add set take give let write measure check test read',
);
/** Nouns that comment on the sentence rather than being the topic of the next one. */
const remarks = words(
  'example examples cost costs price reason reasons result results idea way ways cause causes choice problem problems solution fix mistake difference drawback advantage answer two usual',
);
/** Verbs and adverbs that end any subject. */
const endsAny = words(
  'can cannot could may might must will would shall should never always also often usually still then therefore only simply rarely sometimes typically',
);
const endsOne = words('is was has does');
const endsMany = words('are were have do');
const articles = words('a an the every each no');
const onlyOne = words('a an each every');
/** After a noun, these start a modifier of it. */
const links = words(
  'and or but nor in on at by to for from with without within into onto over under between than as if when that which who where while because like such rather not instead whose via per about around after before until',
);

/** Maximum length in words of a subject that replaces a pronoun. */
const subjectMaxWords = 5;
/** How many characters of a text are searched for its subject and verb. Bounds the work, since each clause is searched. */
const subjectMaxLength = 400;

/** Whether a word looks like a third-person verb or a plural noun: both end in "s". */
const endsInS = (word: string): boolean => /^[\p{L}-]+[^suia'’\W]s$/u.test(word);
const bare = (token: string): string => token.toLowerCase().replace(/(?<![,;:.!?])[,;:.!?]+$/, '');

/** Whether a subject is read as singular or plural: "it" refers to one thing, "they" to several. */
export type GrammaticalNumber = 'one' | 'several';

/**
 * The subject of a sentence that starts with a short noun phrase and its verb, read as singular or plural:
 * "The event loop takes one task" gives "The event loop". Undefined in case of doubt.
 */
export function findSubject(sentence: string, number: GrammaticalNumber): string | undefined {
  const tokens = sentence.slice(0, subjectMaxLength).match(/`[^`]*`\S*|\S+/g) ?? [];
  const first = bare(tokens[0] ?? '');
  if (notSubjects.has(first) || remarks.has(first) || /ly$|ed$/.test(first) || !/^[\p{L}`]/u.test(first))
    return undefined;
  const nounFrom = articles.has(first) ? 1 : 0;
  for (let at = nounFrom + 1; at <= Math.min(subjectMaxWords, tokens.length - 1); at++) {
    const noun = bare(tokens[at - 1]!);
    if (remarks.has(noun) || /[,;:.!?]$/.test(tokens[at - 1]!)) return undefined;
    const verb = bare(tokens[at]!);
    const subject = tokens.slice(0, at).join(' ');
    // "Clients see only one": the subject is plural, and its verb was already passed.
    if (number === 'one' && at > 1 && nounFrom === 0 && endsInS(first)) return undefined;
    if (endsOne.has(verb)) return number === 'one' ? subject : undefined;
    if (endsMany.has(verb)) return number === 'several' ? subject : undefined;
    if (endsAny.has(verb)) return endsInS(noun) === (number === 'several') ? subject : undefined;
    if (links.has(verb)) return undefined;
    if (number === 'one' && endsInS(verb)) {
      const next = bare(tokens[at + 1] ?? '');
      // "Worker threads are", "Minimum spanning trees and": a noun, not a verb.
      const isNoun = endsMany.has(next) || (nounFrom === 0 && at > 1 && links.has(next));
      return isNoun ? undefined : subject;
    }
    if (number === 'several' && endsInS(noun) && !endsInS(verb) && verb !== 'of') {
      // A verb precedes words that only look like nouns: "The pool keeps connections open", "`map` returns early".
      const isPhrase = tokens.slice(0, at - 1).every((token) => !endsInS(bare(token)) && !token.startsWith('`'));
      return isPhrase && !onlyOne.has(first) ? subject : undefined;
    }
    if (/ing$/.test(first)) return undefined;
  }
  return undefined;
}

/** Starts of texts that cannot be an imperative ("Use a lock"). */
const nounFirst = /^(?:an?|the|no|any|for|with|without|by|usually|mostly|mainly)\s/i;
/** Any word that may be a verb. Errs on the side of too many. */
const maybeVerb =
  /\b(?:am|are|be|been|can|cannot|could|did|do|get|give|go|had|have|keep|let|built|bought|brought|broke|caught|chose|drew|fell|felt|grew|heard|rose|sought|spent|spoke|taught|thought|told|made|make|may|might|must|need|put|run|shall|should|take|use|want|were|will|would|\p{L}+(?:ed|n['’]t|['’](?:s|re|ve|ll)|(?<![su])s)|is|was|has|does|became|began|came|found|gave|held|kept|knew|led|left|lost|meant|met|paid|read|ran|said|saw|sent|set|stood|took|went|won|wrote)\b/iu;

/** The number of words in a text; standalone punctuation doesn't count. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Whether a text certainly has no verb, and so makes no statement: "A type assertion with two results". */
export function isFragment(text: string): boolean {
  const count = countWords(text);
  return count < 2 || ((count < 3 || nounFirst.test(text)) && !maybeVerb.test(text));
}

/** Dropped from the start of a point: the sentence means the same without them. */
const additions =
  /^(?:also|besides|moreover|furthermore|additionally|in addition|however|finally|lastly|in short|overall),\s+/i;

/** "It is easy to …": the pronoun refers to what follows. */
const expletive =
  /^it(?: is| was| takes|['’]s| can be| may be| helps| pays| makes sense)(?: \w+){0,3}?,? (?:to|that|whether)\b/i;

/** A replaceable pronoun: at the start, or right after a conjunction that starts a condition. */
const pronoun =
  /^((?:(?:if|when|whenever|once|while|because|since|until|unless|although|without) )?)(it|they|them)\b(?!['’])/i;

/** Starts of sentences that continue the previous statement. */
const continuations = [
  /^(?:this|that|these|those|such|another|others?|so|therefore|thus|hence|then|otherwise|instead|and|but|or|nor|yet|which|only then|similarly|likewise|conversely|meanwhile|afterwards|as a result|for (?:example|instance)|in other words)\b/i,
  /^the (?:former|latter|others?|same|two)\b/i,
  /^(?:\w+ )?(?:at|in|with|by|for|on|from|after|before|without|beyond|unlike|like|because of|apart from|besides|to|under|of) (?:this|that|these|those|such|which|both|either|the others?)\b/i,
  /^[^,]{3,50}, (?:this|these|those) /i,
];

/** Starts of sentences that refer to something only by a pronoun. */
const references = [
  /^(?:its|their|he|she|his|her)\b/i,
  /^(?:both\b(?!.*\band\b)|neither\b(?!.*\bnor\b)|either\b(?!.*\bor\b))/i,
  /^(?:\w+ )?(?:at|in|with|by|for|on|from|after|before|without|beyond|unlike|like|because of|apart from|besides|to|under|of) (?:it|them)\b/i,
  // "With defer it runs"
  /^(?:at|in|on|for|with|by|under|during|without|to)(?: (?!you |i |we |it |they )[^\s,]+){1,3} (?:it|they) /i,
  // "You can have many of them", "`call` sets it"
  /^(?:i|you|we)(?: (?!(?:an?|the|each|every|my|your|our|one)\b)[^\s,`]+){1,6} (?:it|them)\b/i,
  /^`[^`]+`(?:(?:,| and| or) `[^`]+`)* \w+ (?:it|them)\b/i,
];

/** `one`, `several`: by a replaceable singular or plural pronoun. `reference`: by any other pronoun. */
type Leaning = GrammaticalNumber | 'reference' | 'continuation';

/** How a sentence depends on the previous one; undefined if it can stand alone. */
export function findLeaning(sentence: string): Leaning | undefined {
  if (expletive.test(sentence)) return undefined;
  const found = pronoun.exec(sentence)?.[2]?.toLowerCase();
  if (found) return found === 'it' ? 'one' : 'several';
  if (continuations.some((beginning) => beginning.test(sentence))) return 'continuation';
  return references.some((beginning) => beginning.test(sentence)) ? 'reference' : undefined;
}

/** The sentence, capitalized; names in code stay unchanged. */
export function capitalized(text: string): string {
  return text.replace(/^\p{Ll}(?=[\p{Ll}-]*(?:[\s,]|$))/u, (letter) => letter.toUpperCase());
}

/**
 * Rewrites a sentence to stand alone without the previous one: drops a leading "also" or "however", and replaces a pronoun
 * with the previous sentence's subject. Undefined if it stays unclear what the sentence refers to.
 */
export function standAlone(sentence: string, before: string | undefined): string | undefined {
  const plain = sentence.replace(additions, '');
  const text = plain === sentence ? sentence : capitalized(plain);
  const leaning = findLeaning(text);
  if (leaning === undefined) return text;
  if (before === undefined || leaning === 'reference' || leaning === 'continuation') return undefined;
  const subject = findSubject(before, leaning);
  if (subject === undefined) return undefined;
  const [, opening = ''] = pronoun.exec(text) ?? [];
  // Mid-sentence the subject loses its capital, unless it is a proper name. Without an article there is no telling.
  if (opening !== '' && !/^(?:an?|the|each|every|no) |^`/i.test(subject)) return undefined;
  const shown = opening === '' ? subject : subject.replace(/^\p{Lu}(?=\p{Ll}* )/u, (letter) => letter.toLowerCase());
  return text.replace(pronoun, () => opening + shown);
}
