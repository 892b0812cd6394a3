/**
 * A small backtracking matcher that counts its steps; it works like JavaScript's, but without optimizations. It finds
 * expressions whose time grows faster than their input. It supports the syntax that we use, and rejects back references.
 */

type Next = (at: number) => boolean;
/** Matches from a position, forwards or backwards, and continues with `next`. */
type Match = (at: number, next: Next) => boolean;
type Build = (text: string, count: () => void, backwards: boolean) => Match;

const sequence =
  (parts: readonly Build[]): Build =>
  (text, count, backwards) => {
    const built = parts.map((part) => part(text, count, backwards));
    const ordered = backwards ? built.reverse() : built;
    return (at, next) => {
      const from = (index: number, place: number): boolean =>
        index === ordered.length ? next(place) : ordered[index]!(place, (then) => from(index + 1, then));
      return from(0, at);
    };
  };

const choice =
  (options: readonly Build[]): Build =>
  (...how) => {
    const built = options.map((option) => option(...how));
    return (at, next) => built.some((option) => option(at, next));
  };

const character =
  (isIn: (character: string) => boolean): Build =>
  (text, count, backwards) =>
  (at, next) => {
    count();
    const place = backwards ? at - 1 : at;
    return place >= 0 && place < text.length && isIn(text[place]!) && next(backwards ? place : at + 1);
  };

const condition =
  (holds: (text: string, at: number) => boolean): Build =>
  (text, count) =>
  (at, next) => {
    count();
    return holds(text, at) && next(at);
  };

const look =
  (inner: Build, behind: boolean, negative: boolean): Build =>
  (text, count) => {
    const built = inner(text, count, behind);
    return (at, next) => built(at, () => true) !== negative && next(at);
  };

const repeated =
  (inner: Build, least: number, most: number, lazy: boolean): Build =>
  (...how) => {
    const built = inner(...how);
    return (start, next) => {
      const from = (done: number, at: number): boolean => {
        const again = () => done < most && built(at, (then) => (then !== at || done < least) && from(done + 1, then));
        if (done < least) return again();
        return lazy ? next(at) || again() : again() || next(at);
      };
      return from(0, start);
    };
  };

const isWord = (text: string, at: number) => /\w/.test(text[at] ?? ' ');

function parse(source: string, flags: string): Build {
  let at = 0;
  const takes = (text: string) => {
    const found = source.startsWith(text, at);
    if (found) at += text.length;
    return found;
  };
  const setOf = (text: string) => {
    const one = new RegExp(`^${text}$`, flags.replace(/[gy]/g, ''));
    const known = new Map<string, boolean>();
    return character((each) => {
      if (!known.has(each)) known.set(each, one.test(each));
      return known.get(each)!;
    });
  };
  const options = (): Build => {
    const found: Build[] = [];
    do {
      const parts: Build[] = [];
      while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified());
      found.push(sequence(parts));
    } while (takes('|'));
    return choice(found);
  };
  const group = (make: (inner: Build) => Build): Build => {
    const inner = options();
    at += 1;
    return make(inner);
  };
  const atom = (): Build => {
    if (takes('(?:')) return group((inner) => inner);
    if (takes('(?=')) return group((inner) => look(inner, false, false));
    if (takes('(?!')) return group((inner) => look(inner, false, true));
    if (takes('(?<=')) return group((inner) => look(inner, true, false));
    if (takes('(?<!')) return group((inner) => look(inner, true, true));
    if (takes('(')) return group((inner) => inner);
    const isLine = flags.includes('m');
    if (takes('^')) return condition((text, place) => place === 0 || (isLine && text[place - 1] === '\n'));
    if (takes('$')) return condition((text, place) => place === text.length || (isLine && text[place] === '\n'));
    if (takes('\\b')) return condition((text, place) => isWord(text, place) !== isWord(text, place - 1));
    if (takes('\\B')) return condition((text, place) => isWord(text, place) === isWord(text, place - 1));
    const [one] = /^(?:\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{\w+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^\d]|[^\\])/iu.exec(
      source.slice(at),
    )!;
    at += one.length;
    return setOf(one);
  };
  const quantified = (): Build => {
    const inner = atom();
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (!found) return inner;
    at += found[0].length;
    const [sign, least = '0', comma, most] = found;
    const [from, to] = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[sign[0]!] ?? [
      Number(least),
      most ? Number(most) : comma ? Infinity : Number(least),
    ];
    return repeated(inner, from!, to!, sign.length > 1 && sign.endsWith('?'));
  };
  return options();
}

/** The number of steps to find all matches of an expression in a text. */
export function countSteps({ source, flags }: RegExp, text: string): number {
  let steps = 0;
  const match = parse(source, flags)(text, () => steps++, false);
  for (let from = 0; from <= text.length; ) {
    let end: number | null = null;
    match(from, (at) => {
      end = at;
      return true;
    });
    from = Math.max(end ?? 0, from + 1);
  }
  return steps;
}
